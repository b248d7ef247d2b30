//! Every timeseries that Croft records (`docs/rules/telemetry.md#schemas`).

use std::sync::LazyLock;

use croft_oxql::model::{
    DatumType, Description, FieldSchema, FieldSource, FieldType, Schema, Scope, TimeseriesName, Units,
};
use jiff::Timestamp;

/// A target: the thing that is measured.
struct Target {
    name: &'static str,
    description: &'static str,
    scope: Scope,
    fields: &'static [Field],
}

/// A metric of a target.
struct Metric {
    name: &'static str,
    description: &'static str,
    units: Units,
    datum_type: DatumType,
    fields: &'static [Field],
}

struct Field(&'static str, FieldType, &'static str);

const fn counter(name: &'static str, units: Units, description: &'static str) -> Metric {
    Metric { name, description, units, datum_type: DatumType::CumulativeU64, fields: &[] }
}

impl Metric {
    const fn by(mut self, fields: &'static [Field]) -> Self {
        self.fields = fields;
        self
    }

    const fn of(mut self, datum_type: DatumType) -> Self {
        self.datum_type = datum_type;
        self
    }
}

const SILO: Field = Field("silo_id", FieldType::Uuid, "The ID of the silo.");
const PROJECT: Field = Field("project_id", FieldType::Uuid, "The ID of the project.");
const INSTANCE: Field = Field("instance_id", FieldType::Uuid, "The ID of the instance.");
const SLED: Field = Field("sled_id", FieldType::Uuid, "The ID of the sled.");
const SLED_MODEL: Field = Field("sled_model", FieldType::String, "The model of the sled.");
const SLED_SERIAL: Field = Field("sled_serial", FieldType::String, "The serial number of the sled.");
const SLED_REVISION: Field = Field("sled_revision", FieldType::U32, "The revision of the sled.");
const RACK: Field = Field("rack_id", FieldType::Uuid, "The ID of the rack.");
const FAILURE: &[Field] = &[Field("failure_reason", FieldType::String, "The reason for the failure.")];
const IO: &[Field] = &[Field("io_kind", FieldType::String, "The kind of operation: read, write or flush.")];

const VIRTUAL_MACHINE: Target = Target {
    name: "virtual_machine",
    description: "The machine of a running instance.",
    scope: Scope::Project,
    fields: &[INSTANCE, PROJECT, SILO, SLED, SLED_MODEL, SLED_SERIAL, SLED_REVISION],
};

const VIRTUAL_MACHINES: &[Metric] = &[
    counter("vcpu_usage", Units::Nanoseconds, "Cumulative time that a virtual CPU spent in a state.").by(&[
        Field("state", FieldType::String, "The state: run, idle, waiting or emulation."),
        Field("vcpu_id", FieldType::U32, "The index of the virtual CPU."),
    ]),
    counter("reset", Units::Count, "Number of resets of the machine."),
    counter("pv_panic_guest_handled", Units::Count, "Number of guest panics that the guest handled."),
    counter("pv_panic_host_handled", Units::Count, "Number of guest panics that the host handled."),
];

/// The same target, as recorded by its watcher.
const WATCHED_MACHINE: Target = Target {
    name: "virtual_machine",
    description: "The machine of an instance, as monitored by the server.",
    scope: Scope::Fleet,
    fields: &[
        RACK,
        Field("server_id", FieldType::Uuid, "The ID of the monitoring server."),
        INSTANCE,
        SILO,
        PROJECT,
        Field(
            "vmm_id",
            FieldType::Uuid,
            "The ID of the machine, which changes with each start of the instance.",
        ),
        Field("sled_agent_id", FieldType::Uuid, "The ID of the sled that was queried."),
        Field("sled_agent_ip", FieldType::IpAddr, "The address that was queried."),
        Field("sled_agent_port", FieldType::U16, "The port that was queried."),
    ],
};

const WATCHED_MACHINES: &[Metric] = &[
    counter("check", Units::Count, "Number of checks that found the machine in a state.").by(&[
        Field("state", FieldType::String, "The state of the machine."),
        Field("reason", FieldType::String, "The reason for the state."),
    ]),
    counter("incomplete_check", Units::Count, "Number of checks that failed.").by(FAILURE),
];

const VIRTUAL_DISK: Target = Target {
    name: "virtual_disk",
    description: "A disk of a running instance.",
    scope: Scope::Project,
    fields: &[
        Field(
            "attached_instance_id",
            FieldType::Uuid,
            "The ID of the instance that the disk is attached to.",
        ),
        Field("disk_id", FieldType::Uuid, "The ID of the disk."),
        PROJECT,
        SILO,
        Field("block_size", FieldType::U32, "The block size of the disk, in bytes."),
    ],
};

const VIRTUAL_DISKS: &[Metric] = &[
    counter("bytes_read", Units::Bytes, "Number of bytes read."),
    counter("bytes_written", Units::Bytes, "Number of bytes written."),
    counter("reads", Units::Count, "Number of read operations."),
    counter("writes", Units::Count, "Number of write operations."),
    counter("flushes", Units::Count, "Number of flush operations."),
    counter("failed_reads", Units::Count, "Number of failed read operations.").by(FAILURE),
    counter("failed_writes", Units::Count, "Number of failed write operations.").by(FAILURE),
    counter("failed_flushes", Units::Count, "Number of failed flush operations.").by(FAILURE),
    counter("io_latency", Units::Nanoseconds, "Latency of I/O operations.")
        .of(DatumType::HistogramU64)
        .by(IO),
    counter("io_size", Units::Bytes, "Size of I/O operations.").of(DatumType::HistogramU64).by(IO),
];

const NETWORK_INTERFACE: Target = Target {
    name: "instance_network_interface",
    description: "A network interface of a running instance.",
    scope: Scope::Project,
    fields: &[
        Field("interface_id", FieldType::Uuid, "The ID of the network interface."),
        INSTANCE,
        PROJECT,
        SILO,
    ],
};

const BYTES_SENT: Metric = counter("bytes_sent", Units::Bytes, "Number of bytes sent.");
const BYTES_RECEIVED: Metric = counter("bytes_received", Units::Bytes, "Number of bytes received.");
const PACKETS_SENT: Metric = counter("packets_sent", Units::Count, "Number of packets sent.");
const PACKETS_RECEIVED: Metric = counter("packets_received", Units::Count, "Number of packets received.");
const ERRORS_SENT: Metric = counter("errors_sent", Units::Count, "Number of packets that could not be sent.");
const ERRORS_RECEIVED: Metric =
    counter("errors_received", Units::Count, "Number of packets that could not be received.");

const NETWORK_INTERFACES: &[Metric] = &[
    BYTES_SENT,
    BYTES_RECEIVED,
    PACKETS_SENT,
    PACKETS_RECEIVED,
    counter("packets_dropped", Units::Count, "Number of packets dropped on the way to or from the guest."),
    ERRORS_SENT,
    ERRORS_RECEIVED,
];

const COLLECTION: Target = Target {
    name: "collection_target",
    description: "Resources provisioned in the fleet, a silo or a project.",
    scope: Scope::Fleet,
    fields: &[Field("id", FieldType::Uuid, "The ID of the fleet, silo or project.")],
};

const COLLECTIONS: &[Metric] = &[
    counter("virtual_disk_space_provisioned", Units::Bytes, "Total size of disks and snapshots.")
        .of(DatumType::I64),
    counter("cpus_provisioned", Units::Count, "Number of virtual CPUs of running instances.")
        .of(DatumType::I64),
    counter("ram_provisioned", Units::Bytes, "Total memory of running instances.").of(DatumType::I64),
];

const HTTP_SERVICE: Target = Target {
    name: "http_service",
    description: "A server of the API.",
    scope: Scope::Fleet,
    fields: &[
        Field("name", FieldType::String, "The name of the API."),
        Field("id", FieldType::Uuid, "The ID of the server."),
    ],
};

const HTTP_SERVICES: &[Metric] =
    &[counter("request_latency_histogram", Units::Nanoseconds, "Latency of requests.")
        .of(DatumType::HistogramU64)
        .by(&[
            Field("operation_id", FieldType::String, "The ID of the operation."),
            Field("status_code", FieldType::U16, "The HTTP status code of the response."),
        ])];

const DATA_LINK: Target = Target {
    name: "sled_data_link",
    description: "A network link of a sled.",
    scope: Scope::Fleet,
    fields: &[
        Field("kind", FieldType::String, "The kind of link, such as physical."),
        Field("link_name", FieldType::String, "The name of the link on the sled."),
        Field("zone_name", FieldType::String, "The zone of the sled that the link is in."),
        RACK,
        SLED,
        SLED_MODEL,
        SLED_SERIAL,
        SLED_REVISION,
    ],
};

const DATA_LINKS: &[Metric] =
    &[BYTES_SENT, BYTES_RECEIVED, PACKETS_SENT, PACKETS_RECEIVED, ERRORS_SENT, ERRORS_RECEIVED];

const TRANSACTION: Target = Target {
    name: "database_transaction",
    description: "A database transaction.",
    scope: Scope::Fleet,
    fields: &[Field("name", FieldType::String, "The kind of transaction: read or write.")],
};

const TRANSACTIONS: &[Metric] = &[counter(
    "retry_data",
    Units::Seconds,
    "Duration of attempts that conflicted with another transaction and were rolled back.",
)
.of(DatumType::F64)
.by(&[Field("attempt", FieldType::U32, "The number of the attempt, from 1.")])];

const COLLECTOR: Target = Target {
    name: "telemetry_collector",
    description: "A collector of samples.",
    scope: Scope::Fleet,
    fields: &[
        Field("collector_id", FieldType::Uuid, "The ID of the server that collects."),
        Field("collector_ip", FieldType::IpAddr, "The address of the collector."),
        Field("collector_port", FieldType::U16, "The port of the collector."),
    ],
};

const ROUTE: Field = Field("base_route", FieldType::String, "The producer on the server.");
const PRODUCER: Field = Field("producer_id", FieldType::Uuid, "The ID of the server that has the producer.");
const PRODUCER_IP: Field = Field("producer_ip", FieldType::IpAddr, "The address that was queried.");
const PRODUCER_PORT: Field = Field("producer_port", FieldType::U16, "The port that was queried.");

const COLLECTORS: &[Metric] = &[
    counter("collections", Units::Count, "Number of successful collections.").by(&[
        ROUTE,
        PRODUCER,
        PRODUCER_IP,
        PRODUCER_PORT,
    ]),
    counter("failed_collections", Units::Count, "Number of failed collections.").by(&[
        ROUTE,
        PRODUCER,
        PRODUCER_IP,
        PRODUCER_PORT,
        Field("reason", FieldType::String, "The reason for the failure."),
    ]),
];

const TABLE: &[(&Target, &[Metric])] = &[
    (&VIRTUAL_MACHINE, VIRTUAL_MACHINES),
    (&WATCHED_MACHINE, WATCHED_MACHINES),
    (&VIRTUAL_DISK, VIRTUAL_DISKS),
    (&NETWORK_INTERFACE, NETWORK_INTERFACES),
    (&COLLECTION, COLLECTIONS),
    (&HTTP_SERVICE, HTTP_SERVICES),
    (&DATA_LINK, DATA_LINKS),
    (&TRANSACTION, TRANSACTIONS),
    (&COLLECTOR, COLLECTORS),
];

static SCHEMAS: LazyLock<Vec<Schema>> = LazyLock::new(|| {
    let all = TABLE.iter().flat_map(|(target, metrics)| metrics.iter().map(|metric| schema(target, metric)));
    let mut schemas: Vec<Schema> = all.collect();
    schemas.sort_by(|a, b| a.name.cmp(&b.name));
    schemas
});

fn schema(target: &Target, metric: &Metric) -> Schema {
    let field = |source| {
        move |field: &Field| FieldSchema {
            name: field.0.to_owned(),
            field_type: field.1,
            source,
            description: field.2.to_owned(),
        }
    };
    let targets = target.fields.iter().map(field(FieldSource::Target));
    Schema {
        name: name(target.name, metric.name),
        version: std::num::NonZeroU8::MIN,
        description: Description { target: target.description.into(), metric: metric.description.into() },
        fields: targets.chain(metric.fields.iter().map(field(FieldSource::Metric))).collect(),
        datum_type: metric.datum_type,
        units: metric.units,
        scope: target.scope,
        created: Timestamp::UNIX_EPOCH,
    }
}

fn name(target: &str, metric: &str) -> TimeseriesName {
    format!("{target}:{metric}").parse().expect("the names in the table are identifiers")
}

/// All schemas, sorted by name. The store of samples learns a schema with its first sample.
pub fn schemas() -> &'static [Schema] {
    &SCHEMAS
}

/// The schema of a metric.
///
/// # Panics
/// There is no such schema, which is a bug of the caller.
pub fn schema_of(target: &str, metric: &str) -> &'static Schema {
    let name = name(target, metric);
    let place = SCHEMAS.binary_search_by(|schema| schema.name.cmp(&name));
    &SCHEMAS[place.unwrap_or_else(|_| panic!("{name} is not in the catalog"))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_fields_are_distinct() {
        let schemas = schemas();
        assert!(schemas.windows(2).all(|pair| pair[0].name < pair[1].name));
        for schema in schemas {
            let names: std::collections::BTreeSet<_> =
                schema.fields.iter().map(|field| &field.name).collect();
            assert_eq!(names.len(), schema.fields.len(), "{}", schema.name);
            assert_eq!(schema_of(schema.name.target(), schema.name.metric()), schema);
        }
        let histogram = schema_of("http_service", "request_latency_histogram");
        assert_eq!(histogram.datum_type, DatumType::HistogramU64);
    }
}
