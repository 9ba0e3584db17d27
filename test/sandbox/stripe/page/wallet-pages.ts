import { html, raw } from "hono/html";
import { WALLETS_SCRIPT } from "./express-script.ts";

type Page = ReturnType<typeof html>;

const STYLE = `
* { box-sizing: border-box; }
body { margin: 0; padding: 4px; font: 600 16px/1.25 system-ui, sans-serif; }
#wallets { display: grid; grid-template-columns: repeat(auto-fit, minmax(140px, 1fr)); gap: 8px; }
button { width: 100%; min-height: 44px; border: 1px solid #747775; border-radius: 10px; font: inherit; cursor: pointer; }
.dark { background: #000; color: #fff; }
.light { background: #fff; color: #1f1f1f; }
`;

/** The frame with the wallets' buttons. */
export const walletsPage = (isOn: boolean): Page =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Secure express checkout frame</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body data-on="${String(isOn)}">
        <div id="wallets"></div>
        <script>
          ${raw(WALLETS_SCRIPT)};
        </script>
      </body>
    </html>`;

/** The wallet's sheet: two cards of the sandbox, one of which is declined. */
export const walletSheetPage = ({ wallet, lines }: { wallet: string; lines: string[][] }): Page =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${wallet}</title>
        <style>
          ${raw(STYLE)} body {
            padding: 24px;
            background: #fff;
            color: #1f1f1f;
          }
          h1 {
            font-size: 1.25rem;
          }
          dl {
            display: grid;
            grid-template-columns: 1fr auto;
            gap: 6px 16px;
            font-weight: 400;
          }
          dd {
            margin: 0;
          }
          button {
            margin-top: 10px;
            background: #fff;
            color: #1f1f1f;
          }
        </style>
      </head>
      <body>
        <div>
          <h1>${wallet} (sandbox)</h1>
          <dl>
            ${lines.map(
              ([name = "", money = ""]) =>
                html`<dt>${name}</dt>
                  <dd>${money}</dd>`,
            )}
          </dl>
          <button type="button" class="dark" data-card="4242424242424242">Pay with Visa 4242</button>
          <button type="button" data-card="4000000000009995">Pay with Visa 9995, without funds</button>
          <button type="button" data-card="">Cancel</button>
        </div>
        <script>
          for (const button of document.querySelectorAll("button"))
            button.addEventListener("click", () =>
              parent.postMessage({ wallet: button.dataset.card || null }, "*"),
            );
        </script>
      </body>
    </html>`;
