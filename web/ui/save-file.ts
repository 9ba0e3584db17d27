/** A phone may ask first, and read the file only once the driver has agreed. */
const READABLE_MS = 60_000;

/** Hands a file to the browser, as a download. */
export function saveFile(name: string, { type, text }: { type: string; text: string }): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), READABLE_MS);
}
