import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useMemo } from "react";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { fetchUser, replaceDetails, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { ClosedProfileCard, describeProfileError, ProfileSaveRow } from "./profile-card.tsx";
import { formatZoneName } from "../language/format.ts";

const remountState = createRemountState();

/** Where the drivers of a US platform are. Any other zone is listed only where it is the driver's. */
const REGIONS = /^(?:America|Pacific)\//;

/** Where the driver works: the region, and the time zone in which days begin and texts tell the time. */
export function PlaceCard({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const saved = toFormValues(user);
  const options = useMemo(() => timeZoneOptions(user.humanTimezone), [user.humanTimezone]);
  const form = useSubmitForm({
    defaultValues: saved,
    remountState,
    send: async (shown, { reset }) => {
      // Only what was changed here, the rest as the server has it: what is shown of it may be from another time or device.
      const known = (await fetchUser()) ?? user;
      const { name, preferredPhoneNumber } = known;
      const { humanRegion, humanTimezone } = { ...toFormValues(known), ...pickChanged(shown) };
      const next = await replaceDetails(user.phoneNumber, {
        name,
        preferredPhoneNumber,
        humanTimezone,
        humanRegion: humanRegion.trim() || null,
      });
      cacheResponse(queryClient, userQuery, next);
      reset(toFormValues(next), { keepDefaultValues: true });
      toast(m.save_saved());
    },
    describeError: describeProfileError,
  });
  const pickChanged = ({ humanRegion, humanTimezone }: typeof saved): Partial<typeof saved> => ({
    ...(form.getFieldMeta("humanRegion")?.isDirty && { humanRegion }),
    ...(form.getFieldMeta("humanTimezone")?.isDirty && { humanTimezone }),
  });
  const isChanged = useSelector(
    form.store,
    ({ values }) => values.humanRegion !== saved.humanRegion || values.humanTimezone !== saved.humanTimezone,
  );
  return (
    <ClosedProfileCard title={m.profile_place()} state={placeOf(user)}>
      <form.AppForm>
        <form.Body aria-label={m.profile_place()} className="grid gap-4">
          <form.AppField name="humanRegion">
            {(field) => (
              <field.TextField
                label={m.profile_region()}
                name="humanRegion"
                autoComplete="off"
                maxLength={100}
              />
            )}
          </form.AppField>
          <form.AppField name="humanTimezone">
            {(field) => (
              <field.SelectField
                label={m.profile_time_zone()}
                name="humanTimezone"
                hint={m.profile_place_hint()}
                options={options}
              />
            )}
          </form.AppField>
          <form.SubmitError />
          <ProfileSaveRow isChanged={isChanged} onUndo={() => form.reset()}>
            <form.SubmitButton variant="plain" className="min-w-28" pendingLabel={m.save_saving()}>
              {m.save_button()}
            </form.SubmitButton>
          </ProfileSaveRow>
        </form.Body>
      </form.AppForm>
    </ClosedProfileCard>
  );
}

function toFormValues({ humanRegion, humanTimezone }: User) {
  return { humanRegion: humanRegion ?? "", humanTimezone };
}

/** `New York City, Eastern Time`. */
function placeOf({ humanRegion, humanTimezone }: User): string {
  return [humanRegion, formatZoneName(humanTimezone)].filter(Boolean).join(", ");
}

/** The time zones to choose from, by city: `New York · Eastern Time`. */
function timeZoneOptions(current: string): { value: string; label: string }[] {
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => REGIONS.test(zone));
  return [...new Set([...zones, current])]
    .map((zone) => ({ value: zone, label: `${cityOf(zone)} · ${formatZoneName(zone)}` }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** `Indiana, Knox` from `America/Indiana/Knox`. */
function cityOf(zone: string): string {
  const [first = zone, ...rest] = zone.split("/");
  return (rest.length > 0 ? rest : [first]).join(", ").replaceAll("_", " ");
}
