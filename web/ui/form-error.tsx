/** What went wrong with the whole of a form, read out as soon as it stands there. */
export function FormError({ title, hint }: { title: string; hint?: string | undefined }) {
  return (
    <div role="alert" className="rounded-field border border-bad bg-raised px-4 py-3">
      <p className="font-semibold text-bad">{title}</p>
      {hint && <p className="text-sm">{hint}</p>}
    </div>
  );
}
