import { Fragment, type ReactNode } from "react";

/**
 * Puts elements into a translated sentence. Its slots must hold their own names in braces:
 * `interpolate(m.sentence({ link: "{link}" }), { link: <a … /> })`.
 */
export function interpolate(sentence: string, slots: Readonly<Record<string, ReactNode>>): ReactNode {
  return sentence
    .split(/(\{\w+\})/)
    .map((part, index) => <Fragment key={index}>{slots[part.slice(1, -1)] ?? part}</Fragment>);
}
