import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { useSubmitForm } from "../../../web/ui/form/app-form.tsx";

/** A form with a text and a box, as the server paints it and as the browser brings it to life. */
function makeForm() {
  const sent: object[] = [];
  const Form = () => {
    const form = useSubmitForm({
      defaultValues: { name: "Ana", isKept: false },
      send: (values) => void sent.push(values),
      describeError: () => ({ message: { title: "not sent" } }),
    });
    const body = createElement(
      form.Body,
      null,
      createElement(form.AppField, {
        name: "name",
        // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
        children: ({ TextField }) => createElement(TextField, { label: "Name", name: "name" }),
      }),
      createElement(form.AppField, {
        name: "isKept",
        // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
        children: ({ CheckField }) => createElement(CheckField, { label: "Keep it", name: "isKept" }),
      }),
      // oxlint-disable-next-line react/no-children-prop -- the prop's type wants it there
      createElement(form.SubmitButton, { pendingLabel: "Sending", children: "Send" }),
    );
    return createElement(form.AppForm, null, body);
  };
  return { form: createElement(Form), sent };
}

it.each<[what: string, name: string, isKept: boolean]>([
  ["nothing", "Ana", false],
  ["a text", "Ana María", false],
  ["a box that was checked", "Ana", true],
  ["both", "Ana María", true],
])("a form that comes to life takes over what was entered before: %s", async (_what, name, isKept) => {
  const { form, sent } = makeForm();
  const painted = document.createElement("div");
  painted.innerHTML = renderToString(form);
  document.body.append(painted);
  const [text, box] = painted.querySelectorAll("input");
  if (!text || !box) throw new Error("the form was not painted");
  if (text.value !== name) text.value = name;
  box.checked = isKept;
  const user = userEvent.setup();
  render(form, { container: painted, hydrate: true });
  await expect
    .poll(() => [
      screen.getByLabelText<HTMLInputElement>("Name").value,
      screen.getByLabelText<HTMLInputElement>("Keep it").checked,
    ])
    .toEqual([name, isKept]);
  await user.type(screen.getByLabelText("Name"), "!");
  await user.click(screen.getByRole("button", { name: "Send" }));
  await expect.poll(() => sent).toEqual([{ name: `${name}!`, isKept }]);
});
