import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { liveStore } from "../../api/live.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { sayDateTime, sayTimeToTheSecond } from "../language/format.ts";

/** Says when what is shown may be old, and from when it is. */
export function LineBanner() {
  const isOnline = useOnline();
  const line = useSelector(liveStore, (live) => live.line);
  const isStale = useSelector(liveStore, (live) => live.stale);
  const heardAt = useSelector(liveStore, (live) => live.heardAt);
  const isOld = useSelector(liveStore, (live) => live.isOld);
  if (line === "gone") return <Banner Icon={WifiOff}>{m.live_gone()}</Banner>;
  if (heardAt === null) return null;
  const time = isOld ? sayDateTime(heardAt) : sayTimeToTheSecond(heardAt);
  if (!isOnline) return <Banner Icon={WifiOff}>{m.live_offline({ time })}</Banner>;
  if (isStale || line === "waiting") return <Banner Icon={WifiOff}>{m.live_stale({ time })}</Banner>;
  return null;
}
