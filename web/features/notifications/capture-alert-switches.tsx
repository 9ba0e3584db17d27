import { useSelector } from "@tanstack/react-store";
import { m } from "../../messages/messages.js";
import { Switch } from "../../ui/switch.tsx";
import {
  canVibrate,
  updateCaptureAlert,
  playCaptureSound,
  captureAlertStore,
  vibrateForCapture,
} from "./capture-alert.ts";

/** Sound and vibration on capture while the page is open. Turning one on plays it once. */
export function CaptureAlertSwitches() {
  const { sound, vibration } = useSelector(captureAlertStore);
  return (
    <div className="grid gap-1 border-t border-line pt-4">
      <h3 className="text-base">{m.notify_signal()}</h3>
      <p className="text-sm text-soft">{m.notify_signal_text()}</p>
      <Row
        name={m.notify_sound()}
        checked={sound}
        onChange={(on) => {
          updateCaptureAlert({ sound: on });
          if (on) playCaptureSound();
        }}
      />
      {canVibrate() && (
        <Row
          name={m.notify_vibration()}
          checked={vibration}
          onChange={(on) => {
            updateCaptureAlert({ vibration: on });
            if (on) vibrateForCapture();
          }}
        />
      )}
    </div>
  );
}

function Row({
  name,
  checked,
  onChange,
}: {
  name: string;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="font-semibold">{name}</span>
      <Switch label={name} checked={checked} onChange={onChange} />
    </div>
  );
}
