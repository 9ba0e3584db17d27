import { createFileRoute } from "@tanstack/react-router";
import { AddressFormDemo } from "../../../features/demo/address-form-demo.tsx";

export const Route = createFileRoute("/demo/form/address")({ component: AddressFormDemo });
