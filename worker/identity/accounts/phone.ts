const E164 = /^\+1[0-9]{10}$/;

/** Whether a text is +1 and ten digits, the only format that user names may have. */
export function isPhoneNumber(text: string): boolean {
  return E164.test(text);
}

/** Masks all but the last four digits: `+*******0123`. */
export function maskPhone(phone: string): string {
  const digits = phone.replaceAll(/\D/g, "");
  return `+${"*".repeat(Math.max(0, digits.length - 4))}${digits.slice(-4)}`;
}

/** Where a code was sent. */
export type CodeDelivery = { AttributeName: string; DeliveryMedium: "SMS"; Destination: string };

/** The part of a response that says where a code was sent. */
export function toCodeDelivery(phone: string): CodeDelivery {
  return { AttributeName: "phone_number", DeliveryMedium: "SMS", Destination: maskPhone(phone) };
}
