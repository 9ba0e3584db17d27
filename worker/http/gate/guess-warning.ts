import { findDriverLanguage } from "../../../db/queries/accounts/drivers.ts";
import { findPoolUser } from "../../../db/queries/identity/pool-users.ts";
import { driverId } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { chooseLanguage } from "../../identity/accounts/code-texts.ts";

/** Tells the owner of an account that somebody guesses at it; of a name without an account nobody. */
export async function warnOfGuesses(
  { db, texts, product }: Pick<Deps, "db" | "texts"> & { product: string },
  sub: string,
): Promise<void> {
  const user = await findPoolUser(db, sub);
  if (!user?.phoneVerified) return;
  const language = await findDriverLanguage(db, driverId.parse(sub));
  const body = formatMessage(language ?? chooseLanguage(user.attributes["locale"]), "text_guesses", {
    product,
  });
  await texts.sendWarning({ to: user.phoneNumber, account: user.id, body });
}
