/** The failure, and the next step if one is known. */
export type FormMessage = { title: string; hint?: string };

/** The failure of a form as a whole; announced as soon as it appears. */
export function FormError({ title, hint }: { title: string; hint?: string | undefined }) {
  return (
    <div role="alert" className="rounded-field border border-bad bg-raised px-4 py-3">
      <p className="font-semibold text-bad">{title}</p>
      {hint && <p className="text-sm">{hint}</p>}
    </div>
  );
}
