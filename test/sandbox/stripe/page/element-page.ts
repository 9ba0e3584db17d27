import { ELEMENT_SCRIPT } from "./element-script.ts";

const STYLE = `
* { box-sizing: border-box; }
html { background: var(--ground, transparent); }
body { margin: 0; padding: 4px; font-family: var(--fontFamily); font-size: var(--fontSizeBase); font-weight: var(--fontWeightNormal); color: var(--colorText); line-height: 1.25; }
.Fields { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: var(--gridRowSpacing, calc(var(--spacingUnit) * 3)) var(--gridColumnSpacing, calc(var(--spacingUnit) * 3)); }
.wide { grid-column: 1 / -1; }
.Field { min-width: 0; position: relative; }
.Label { display: block; margin-bottom: var(--spacingUnit); font-size: var(--fontSizeSm); color: var(--colorText); }
.Input { display: block; width: 100%; min-height: 44px; padding: calc(var(--spacingUnit) * 3); font: inherit; color: var(--colorText); background-color: var(--colorBackground); border: 1px solid color-mix(in srgb, var(--colorText) 22%, transparent); border-radius: var(--borderRadius); transition: border-color 120ms, box-shadow 120ms; }
.Input::placeholder { color: var(--colorTextPlaceholder); opacity: 1; }
.Input:focus { outline: 0; border-color: var(--colorPrimary); box-shadow: 0 0 0 3px color-mix(in srgb, var(--colorPrimary) 30%, transparent); }
.Input--invalid { color: var(--colorDanger); border-color: var(--colorDanger); box-shadow: 0 0 0 1px var(--colorDanger); }
.Error { margin: var(--spacingUnit) 0 0; font-size: var(--fontSizeSm); color: var(--colorDanger); }
.Error:empty { display: none; }
.Brand { position: absolute; right: calc(var(--spacingUnit) * 3); bottom: calc(var(--spacingUnit) * 3); font-size: 0.7rem; font-weight: 700; text-transform: uppercase; letter-spacing: 0.06em; color: var(--colorTextSecondary); pointer-events: none; }
.Number { position: relative; }
#number { padding-right: 96px; }
.Kept { display: flex; align-items: center; gap: calc(var(--spacingUnit) * 2); min-height: 44px; color: var(--colorText); flex: 1; }
.Kept input { width: 20px; height: 20px; accent-color: var(--colorPrimary); }
.KeptRow { display: flex; align-items: center; }
.KeptRow button { min-height: 44px; border: 0; background: none; font: inherit; color: var(--colorTextSecondary); text-decoration: underline; }
.Mandate { margin: calc(var(--spacingUnit) * 2) 0 0; font-size: var(--fontSizeSm); color: var(--colorTextSecondary); }
[hidden] { display: none !important; }
@media (prefers-reduced-motion: reduce) { .Input { transition: none; } }
`;

const field = (name: string, { wide = false, control }: { wide?: boolean; control: string }) =>
  `<div class="Field${wide ? " wide" : ""}" id="${name}-field"><label class="Label" id="${name}-label" for="${name}"></label>${control}<p class="Error" id="${name}-error" role="alert"></p></div>`;

const input = (name: string, attributes: string) =>
  `<input class="Input" id="${name}" name="${name}" type="text" aria-describedby="${name}-error" ${attributes}>`;

/** The frame with the card's fields. */
export const ELEMENT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Secure payment input frame</title>
<style id="dress"></style>
<style>${STYLE}</style>
</head>
<body hidden>
<div id="kept" role="radiogroup" aria-label="Saved cards" hidden></div>
<div class="Fields" id="fields">
${field("number", { wide: true, control: `<div class="Number">${input("number", 'inputmode="numeric" autocomplete="cc-number" placeholder="1234 1234 1234 1234"')}<span class="Brand" id="brand" aria-hidden="true"></span></div>` })}
${field("expiry", { control: input("expiry", 'inputmode="numeric" autocomplete="cc-exp"') })}
${field("cvc", { control: input("cvc", 'inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"') })}
${field("country", { wide: true, control: '<select class="Input" id="country" name="country" autocomplete="billing country" aria-describedby="country-error"></select>' })}
${field("postalCode", { wide: true, control: input("postalCode", 'autocomplete="billing postal-code"') })}
</div>
<label class="Kept" id="save-field" hidden><input type="checkbox" id="save"><span id="save-label"></span></label>
<p class="Mandate" id="mandate" hidden></p>
<script>${ELEMENT_SCRIPT}</script>
</body>
</html>`;
