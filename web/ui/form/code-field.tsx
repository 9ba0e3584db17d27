import { useEffect, useRef, useState, useEffectEvent, type InputEvent } from "react";
import { Field, INPUT_CLASS } from "../inputs/field.tsx";
import { createAutoSend, type AutoSendRule } from "./auto-send.ts";
import { useFieldControl } from "./contexts.ts";
import * as z from "zod/mini";

/** Types that the DOM's lack: https://wicg.github.io/web-otp. */
type TextedCodeRequest = CredentialRequestOptions & { otp: { transport: readonly ["sms"] } };

const textedCode = z.object({ code: z.string() });

/** A code of digits, as it comes by text; it may be pasted with gaps, or as the whole text. It has the focus from the start. */
export function CodeField({
  label,
  maxLength = 10,
  autoSend,
  readsTexts = false,
}: {
  label: string;
  maxLength?: number;
  autoSend?: AutoSendRule;
  /** Whether it is our own text: the browser offers to take over the code from it. */
  readsTexts?: boolean;
}) {
  const { value, onChange, error } = useFieldControl<string>();
  const input = useRef<HTMLInputElement>(null);
  const [sending] = useState(createAutoSend);
  const enter = (text: string, digitsAtOnce: number) => {
    const code = findCode(text).slice(0, maxLength);
    onChange(code);
    const send = () => input.current?.form?.requestSubmit();
    if (autoSend) sending.enter(autoSend, { length: code.length, digitsAtOnce, send });
  };
  useTextedCode(readsTexts, (code) => enter(code, code.length));
  useEffect(() => {
    input.current?.focus();
    const form = input.current?.form;
    // However the form is submitted, it is sent once.
    form?.addEventListener("submit", sending.cancel, { capture: true });
    return () => {
      form?.removeEventListener("submit", sending.cancel, { capture: true });
      sending.cancel();
    };
  }, [sending]);
  const onInput = ({ currentTarget, nativeEvent: { inputType, data } }: InputEvent<HTMLInputElement>) => {
    const { value: text } = currentTarget;
    const isDeleted = inputType?.startsWith("delete") ?? false;
    enter(text, isDeleted ? 0 : data?.length === 1 ? 1 : text.length);
  };
  return (
    <Field label={label} error={error}>
      {(inputProps) => (
        <input
          {...inputProps}
          ref={input}
          name="code"
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          value={value}
          onInput={onInput}
          // React warns of a value without it.
          onChange={() => undefined}
          className={`${INPUT_CLASS} h-14 text-center text-2xl font-semibold ${value.length > 8 ? "tracking-[0.2em]" : "tracking-[0.4em]"}`}
        />
      )}
    </Field>
  );
}

/** Among words the first long figure: a text also says for how many minutes its code is good, and names it once more. */
function findCode(text: string): string {
  const [named] = /\p{L}/u.test(text) ? (/\b\d{4,}\b/.exec(text) ?? []) : [];
  return named ?? text.replaceAll(/\D/g, "");
}

/** Takes over the code of a text that ends with this page's host, where the browser can and its owner agrees. */
function useTextedCode(isWanted: boolean, onCode: (code: string) => void): void {
  const take = useEffectEvent(onCode);
  useEffect(() => {
    if (!isWanted || !("OTPCredential" in window)) return undefined;
    const aborter = new AbortController();
    const request: TextedCodeRequest = { otp: { transport: ["sms"] }, signal: aborter.signal };
    void takeOver();
    return () => aborter.abort();

    async function takeOver() {
      // Refused, or nothing came: the code is typed.
      const credential = await navigator.credentials.get(request).catch(() => null);
      const { data } = z.safeParse(textedCode, credential);
      if (data) take(data.code);
    }
  }, [isWanted]);
}
