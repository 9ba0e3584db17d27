/** Tells a password manager whose password the form around it is about. */
export function HiddenUsername({ phone }: { phone: string }) {
  return <input type="text" name="username" autoComplete="username" value={phone} readOnly hidden />;
}
