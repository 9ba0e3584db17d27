import { useSuspenseQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import type { CitiesResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { formatCount } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { useOpened } from "../../ui/use-opened.ts";
import { citiesQuery } from "../calls/deployment.ts";
import { CONSOLE_PATHS } from "../console-page.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { DataTable, Section, type Column } from "../tables/data-table.tsx";
import { parseCitySpots, parseSpots } from "../forms/deployment-forms.ts";
import { FormEnd, ReasonField } from "../forms/fields.tsx";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";
import { fieldMessages, useActForm, useDeploymentAct } from "../forms/use-act-form.ts";

type City = CitiesResponse["cities"][number];

/** Each city with its spots, its line and who is next; owners change the number. */
export function CitiesScreen() {
  const me = useOperator();
  const { cities } = useSuspenseQuery(citiesQuery).data;
  const { opened, open, close } = useOpened<City>();
  const isOwner = me.operator.role === "owner";
  const columns: Column<City>[] = [
    { id: "city", title: m.city(), renderCell: ({ city }) => city },
    {
      id: "spots",
      title: m.spots(),
      renderCell: (city) => (
        <>
          <span className="block">{city.spots === null ? m.spots_no_limit() : formatCount(city.spots)}</span>
          {isOwner && (
            <Button
              variant="quiet"
              className="-mr-4 text-sm"
              aria-haspopup="dialog"
              onClick={() => open(city)}
            >
              {m.spots_change()}
            </Button>
          )}
        </>
      ),
      isFigure: true,
    },
    {
      id: "taken",
      title: m.spots_taken(),
      renderCell: ({ taken }) => formatCount(taken),
      isFigure: true,
      isWideOnly: true,
    },
    {
      id: "waiting",
      title: m.spots_waiting(),
      renderCell: ({ waiting }) => formatCount(waiting),
      isFigure: true,
    },
    {
      id: "next",
      title: m.spots_next(),
      isWideOnly: true,
      renderCell: ({ next }) =>
        next && (
          <a href={CONSOLE_PATHS.driver(next.id)} className="underline underline-offset-4">
            {next.name}
          </a>
        ),
    },
  ];
  return (
    <>
      <h1 className="text-2xl">{m.nav_cities()}</h1>
      <Section
        title={m.spots()}
        actions={
          <ExportButton
            order={{ table: "cities" }}
            table={m.spots()}
            columns={CSV_COLUMNS.cities}
            rowsOf={({ cities }) => cities}
          />
        }
      >
        <DataTable
          label={m.nav_cities()}
          columns={columns}
          rows={cities}
          rowKey={({ city }) => city}
          empty={m.cities_none()}
        />
      </Section>
      <Sheet open={opened !== null} onClose={close} edge="middle" title={opened?.city ?? ""}>
        {opened && <SpotsForm city={opened} onClose={close} />}
      </Sheet>
    </>
  );
}

const ISSUES = { spots: m.issue_spots, reason: m.issue_reason };

function SpotsForm({ city, onClose }: { city: City; onClose: () => void }) {
  const act = useDeploymentAct(onClose);
  const form = useActForm({
    defaultValues: { spots: city.spots === null ? "" : String(city.spots), reason: "" },
    describe: (input) => {
      const parsed = parseCitySpots({ city: city.city, ...input });
      return "act" in parsed ? parsed : { issues: fieldMessages(parsed.issues, ISSUES) };
    },
    send: act.mutateAsync,
  });
  const count = parseSpots(useSelector(form.store, ({ values }) => values.spots));
  const free = count === null ? city.waiting : Math.max(0, (count ?? 0) - city.taken);
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        <p className="text-soft">{m.note_spots()}</p>
        <form.AppField name="spots">
          {({ TextField }) => (
            <TextField
              label={m.spots()}
              hint={m.spots_hint()}
              name="spots"
              inputMode="numeric"
              autoComplete="off"
            />
          )}
        </form.AppField>
        {count !== undefined && (
          <output className="figures block text-sm">
            {m.preview_spots({ count: formatCount(Math.min(free, city.waiting)) })}
          </output>
        )}
        <form.AppField name="reason">{() => <ReasonField />}</form.AppField>
        <FormEnd submitLabel={m.spots_change()} onClose={onClose} />
      </form.Body>
    </form.AppForm>
  );
}
