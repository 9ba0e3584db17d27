import { FieldApi, FormApi } from "@tanstack/react-form";
import { expect, it } from "vitest";
import { clearErrors, createRemountState } from "../../../web/ui/form/remount-state.ts";
import { submitOptions, type Submission, type SubmitIssue } from "../../../web/ui/form/submit-options.ts";

const EMPTY = { phone: "", password: "" };

/** A form with two fields that must not be empty, driven without a page. */
function openForm({ send = () => undefined, describeError }: Partial<Submission<typeof EMPTY>> = {}) {
  const form = new FormApi(
    submitOptions({
      defaultValues: EMPTY,
      send,
      describeError: describeError ?? (() => ({ message: { title: "Login failed" } })),
    }),
  );
  form.mount();
  const open = (name: "phone" | "password") => {
    const field = new FieldApi({
      form,
      name,
      validators: { onDynamic: ({ value }) => (value === "" ? `${name} is missing` : undefined) },
    });
    field.mount();
    return field;
  };
  const fields = { phone: open("phone"), password: open("password") };
  return {
    form,
    fields,
    submit: () => {
      clearErrors(form);
      return form.handleSubmit();
    },
    errors: () => ({
      phone: fields.phone.state.meta.errors,
      password: fields.password.state.meta.errors,
      form: form.state.errors,
    }),
  };
}

const settled = () => new Promise<void>((resolve) => queueMicrotask(resolve));

it("says nothing while a form is filled in, and marks every invalid field once it is sent", async () => {
  const sent: object[] = [];
  const { fields, submit, errors } = openForm({ send: (values) => void sent.push(values) });
  fields.phone.handleChange("5");
  fields.phone.handleChange("");
  fields.phone.handleBlur();
  expect(errors()).toEqual({ phone: [], password: [], form: [] });
  await submit();
  expect(errors()).toEqual({ phone: ["phone is missing"], password: ["password is missing"], form: [] });
  fields.phone.handleChange("5550100144");
  expect(errors()).toEqual({ phone: [], password: ["password is missing"], form: [] });
  fields.password.handleChange("secret");
  await submit();
  expect(sent).toEqual([{ phone: "5550100144", password: "secret" }]);
});

it("keeps the form's own error until it is sent again, and sends again though nothing was edited", async () => {
  let tries = 0;
  const { form, fields, submit, errors } = openForm({
    send: () => {
      tries += 1;
      if (tries < 3) throw new Error("refused");
    },
  });
  fields.phone.handleChange("5550100144");
  fields.password.handleChange("secret");
  await submit();
  await submit();
  expect(errors().form).toEqual([{ title: "Login failed" }]);
  fields.password.handleChange("another");
  expect(errors().form).toEqual([{ title: "Login failed" }]);
  const again = submit();
  expect(errors().form).toEqual([]);
  await again;
  expect({ tries, errors: errors().form, isSent: form.state.isSubmitSuccessful }).toEqual({
    tries: 3,
    errors: [],
    isSent: true,
  });
});

it("shows what the server finds wrong at its field, and all else as the form's own error", async () => {
  const described: SubmitIssue[] = [
    { message: { title: "Login failed" }, fields: { phone: "This number is taken." } },
    { message: { title: "Login failed" }, fields: { currency: "Unknown." } },
  ];
  const { fields, submit, errors } = openForm({
    send: () => Promise.reject(new Error("refused")),
    describeError: () => described.shift() ?? { message: { title: "Asked once too often" } },
  });
  fields.phone.handleChange("5550100144");
  fields.password.handleChange("secret");
  await submit();
  expect(errors()).toEqual({ phone: ["This number is taken."], password: [], form: [] });
  fields.phone.handleChange("5550100145");
  expect(errors().phone).toEqual([]);
  await submit();
  expect(errors()).toEqual({ phone: [], password: [], form: [{ title: "Login failed" }] });
});

it("starts over where what was sent empties it", async () => {
  const { form, fields, submit, errors } = openForm({ send: (_values, { reset }) => reset() });
  fields.phone.handleChange("5550100144");
  fields.password.handleChange("secret");
  await submit();
  expect(form.state).toMatchObject({ values: EMPTY, isTouched: false, isSubmitting: false });
  await submit();
  expect(errors().phone).toEqual(["phone is missing"]);
});

it("hands what was typed, without errors, to the form that replaces it in the same commit", async () => {
  const remountState = createRemountState();
  const old = openForm();
  const detach = remountState.attach(old.form);
  old.fields.phone.handleChange("5550100144");
  await old.submit();
  expect(old.errors().password).toEqual(["password is missing"]);
  detach();
  const next = openForm();
  remountState.attach(next.form);
  expect(next.form.state).toMatchObject({
    values: { phone: "5550100144", password: "" },
    isDirty: true,
    isFieldsValid: true,
  });
});

it("forgets what was typed once no form replaces it", async () => {
  let forgotten = 0;
  const remountState = createRemountState(() => (forgotten += 1));
  const old = openForm();
  const detach = remountState.attach(old.form);
  old.fields.password.handleChange("secret");
  detach();
  await settled();
  const next = openForm();
  remountState.attach(next.form);
  expect({ forgotten, values: next.form.state.values }).toEqual({ forgotten: 1, values: EMPTY });
});
