/** A question that is asked often, and the answer; both know the product's name. */
export type Question = {
  id: string;
  ask: (slots: { product: string }) => string;
  answer: (slots: { product: string }) => string;
};
