import { html } from "hono/html";

type Page = ReturnType<typeof html>;

/** The bank's 3-D Secure page, in a frame over the shop's page or on its own. */
export const bankPage = ({ amount, framed }: { amount: string; framed: boolean }): Page =>
  page(
    "3D Secure 2 Test Page",
    html`<p>The sandbox plays the bank of this test card. It wants to know whether you pay ${amount}.</p>
      <form method="post">
        <button name="outcome" value="complete" class="primary">Complete</button>
        <button name="outcome" value="fail">Fail</button>
      </form>`,
    framed,
  );

/** Tells the embedding page that the challenge is completed. */
export const answeredPage = (): Page =>
  page(
    "Thank you",
    html`<p>You can go back to the shop.</p>
      <script>
        parent.postMessage({ bank: "answered" }, "*");
      </script>`,
  );

export const receiptPage = ({
  amount,
  card,
  refunded,
}: {
  amount: string;
  card: string;
  refunded: string | null;
}): Page =>
  page(
    "Receipt (sandbox)",
    html`<p>Paid: <b>${amount}</b></p>
      <p>Card: ${card}</p>
      ${refunded === null ? "" : html`<p>Given back: ${refunded}</p>`}`,
  );

export const nothingPage = (): Page =>
  page("Nothing to do", html`<p>There is no such question, or it was answered.</p>`);

/** @param framed embedded in a page that has its own `main` element */
function page(title: string, content: Page, framed = false): Page {
  const body = html`<h1>${title}</h1>
    ${content}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
            font:
              16px/1.5 system-ui,
              sans-serif;
          }
          body {
            max-width: 24rem;
            margin: 8vh auto;
            padding: 0 20px;
          }
          h1 {
            font-size: 1.25rem;
          }
          form {
            display: grid;
            gap: 12px;
          }
          button {
            font: inherit;
            font-weight: 600;
            min-height: 48px;
            width: 100%;
            border: 1px solid;
            border-radius: 10px;
            background: none;
            color: inherit;
            cursor: pointer;
          }
          .primary {
            border-color: transparent;
            background: oklch(0.88 0.2 118);
            color: oklch(0.17 0.006 250);
          }
        </style>
      </head>
      <body>
        ${framed ? html`<div>${body}</div>` : html`<main>${body}</main>`}
      </body>
    </html>`;
}
