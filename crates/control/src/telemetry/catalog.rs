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

const SILO: Field = Field("silo_id", FieldType::Uuid, "The silo that it is in.");
const PROJECT: Field = Field("project_id", FieldType::Uuid, "The project that it is in.");
const INSTANCE: Field = Field("instance_id", FieldType::Uuid, "The instance.");
const SLED: Field = Field("sled_id", FieldType::Uuid, "The sled that it runs on.");
const SLED_MODEL: Field = Field("sled_model", FieldType::String, "The model of the sled.");
const SLED_SERIAL: Field = Field("sled_serial", FieldType::String, "The serial number of the sled.");
const SLED_REVISION: Field = Field("sled_revision", FieldType::U32, "The revision of the sled's model.");
const RACK: Field = Field("rack_id", FieldType::Uuid, "The rack.");
const FAILURE: &[Field] = &[Field("failure_reason", FieldType::String, "Why it failed.")];
const IO: &[Field] = &[Field("io_kind", FieldType::String, "What was done: read, write or flush.")];

const VIRTUAL_MACHINE: Target = Target {
    name: "virtual_machine",
    description: "The machine of a running instance.",
    scope: Scope::Project,
    fields: &[INSTANCE, PROJECT, SILO, SLED, SLED_MODEL, SLED_SERIAL, SLED_REVISION],
};

const VIRTUAL_MACHINES: &[Metric] = &[
    counter("vcpu_usage", Units::Nanoseconds, "Time that a virtual CPU spent in a state.").by(&[
        Field("state", FieldType::String, "What it did: run, idle, waiting or emulation."),
        Field("vcpu_id", FieldType::U32, "The number of the virtual CPU in its machine."),
    ]),
    counter("reset", Units::Count, "Times that the machine began anew."),
    counter(
        "pv_panic_guest_handled",
        Units::Count,
        "Times that the guest panicked and looked after it itself.",
    ),
    counter("pv_panic_host_handled", Units::Count, "Times that the guest panicked and left it to the host."),
];

/// The same target, as recorded by its watcher.
const WATCHED_MACHINE: Target = Target {
    name: "virtual_machine",
    description: "The machine of an instance, as it is watched.",
    scope: Scope::Fleet,
    fields: &[
        RACK,
        Field("server_id", FieldType::Uuid, "The server that watches."),
        INSTANCE,
        SILO,
        PROJECT,
        Field("vmm_id", FieldType::Uuid, "The machine: each start of the instance makes a new one."),
        Field("sled_agent_id", FieldType::Uuid, "The sled that was asked."),
        Field("sled_agent_ip", FieldType::IpAddr, "The address at which it was asked."),
        Field("sled_agent_port", FieldType::U16, "The port at which it was asked."),
    ],
};

const WATCHED_MACHINES: &[Metric] = &[
    counter("check", Units::Count, "Times that the machine was looked at and found in a state.").by(&[
        Field("state", FieldType::String, "The state."),
        Field("reason", FieldType::String, "Why it was taken to be in that state."),
    ]),
    counter("incomplete_check", Units::Count, "Times that the machine could not be looked at.").by(FAILURE),
];

const VIRTUAL_DISK: Target = Target {
    name: "virtual_disk",
    description: "A disk of a running instance.",
    scope: Scope::Project,
    fields: &[
        Field("attached_instance_id", FieldType::Uuid, "The instance that has the disk."),
        Field("disk_id", FieldType::Uuid, "The disk."),
        PROJECT,
        SILO,
        Field("block_size", FieldType::U32, "Bytes in a block of the disk."),
    ],
};

const VIRTUAL_DISKS: &[Metric] = &[
    counter("bytes_read", Units::Bytes, "Bytes read."),
    counter("bytes_written", Units::Bytes, "Bytes written."),
    counter("reads", Units::Count, "Times that something was read."),
    counter("writes", Units::Count, "Times that something was written."),
    counter("flushes", Units::Count, "Times that what was written was made durable."),
    counter("failed_reads", Units::Count, "Times that reading failed.").by(FAILURE),
    counter("failed_writes", Units::Count, "Times that writing failed.").by(FAILURE),
    counter("failed_flushes", Units::Count, "Times that making durable failed.").by(FAILURE),
    counter("io_latency", Units::Nanoseconds, "How long it took.").of(DatumType::HistogramU64).by(IO),
    counter("io_size", Units::Bytes, "How much it was.").of(DatumType::HistogramU64).by(IO),
];

const NETWORK_INTERFACE: Target = Target {
    name: "instance_network_interface",
    description: "A network interface of a running instance.",
    scope: Scope::Project,
    fields: &[Field("interface_id", FieldType::Uuid, "The interface."), INSTANCE, PROJECT, SILO],
};

const BYTES_SENT: Metric = counter("bytes_sent", Units::Bytes, "Bytes sent.");
const BYTES_RECEIVED: Metric = counter("bytes_received", Units::Bytes, "Bytes received.");
const PACKETS_SENT: Metric = counter("packets_sent", Units::Count, "Packets sent.");
const PACKETS_RECEIVED: Metric = counter("packets_received", Units::Count, "Packets received.");
const ERRORS_SENT: Metric = counter("errors_sent", Units::Count, "Packets that could not be sent.");
const ERRORS_RECEIVED: Metric =
    counter("errors_received", Units::Count, "Packets that could not be received.");

const NETWORK_INTERFACES: &[Metric] = &[
    BYTES_SENT,
    BYTES_RECEIVED,
    PACKETS_SENT,
    PACKETS_RECEIVED,
    counter("packets_dropped", Units::Count, "Packets that were lost on their way to or from the guest."),
    ERRORS_SENT,
    ERRORS_RECEIVED,
];

const COLLECTION: Target = Target {
    name: "collection_target",
    description: "What is provisioned in the fleet, a silo or a project.",
    scope: Scope::Fleet,
    fields: &[Field("id", FieldType::Uuid, "The fleet, the silo or the project.")],
};

const COLLECTIONS: &[Metric] = &[
    counter("virtual_disk_space_provisioned", Units::Bytes, "Size of disks and snapshots.")
        .of(DatumType::I64),
    counter("cpus_provisioned", Units::Count, "Virtual CPUs of instances that have a machine.")
        .of(DatumType::I64),
    counter("ram_provisioned", Units::Bytes, "Memory of instances that have a machine.").of(DatumType::I64),
];

const HTTP_SERVICE: Target = Target {
    name: "http_service",
    description: "A server of the API.",
    scope: Scope::Fleet,
    fields: &[
        Field("name", FieldType::String, "Which of its APIs."),
        Field("id", FieldType::Uuid, "The server."),
    ],
};

const HTTP_SERVICES: &[Metric] = &[counter(
    "request_latency_histogram",
    Units::Nanoseconds,
    "How long requests took until they were answered.",
)
.of(DatumType::HistogramU64)
.by(&[
    Field("operation_id", FieldType::String, "The operation."),
    Field("status_code", FieldType::U16, "The status of the answer."),
])];

const DATA_LINK: Target = Target {
    name: "sled_data_link",
    description: "A link between a sled and the world.",
    scope: Scope::Fleet,
    fields: &[
        Field("kind", FieldType::String, "What it is, such as physical."),
        Field("link_name", FieldType::String, "Its name on the sled."),
        Field("zone_name", FieldType::String, "The part of the sled that it is in."),
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
    description: "A transaction of the database.",
    scope: Scope::Fleet,
    fields: &[Field("name", FieldType::String, "What it was for: read or write.")],
};

const TRANSACTIONS: &[Metric] = &[counter(
    "retry_data",
    Units::Seconds,
    "How long a run took that collided with another transaction and was undone.",
)
.of(DatumType::F64)
.by(&[Field("attempt", FieldType::U32, "Which run of the transaction it was, from 1.")])];

const COLLECTOR: Target = Target {
    name: "telemetry_collector",
    description: "What asks the producers of samples.",
    scope: Scope::Fleet,
    fields: &[
        Field("collector_id", FieldType::Uuid, "The server that collects."),
        Field("collector_ip", FieldType::IpAddr, "Its address."),
        Field("collector_port", FieldType::U16, "Its port."),
    ],
};

const ROUTE: Field = Field("base_route", FieldType::String, "Which of its producers was asked.");
const PRODUCER: Field = Field("producer_id", FieldType::Uuid, "The server that has the producer.");
const PRODUCER_IP: Field = Field("producer_ip", FieldType::IpAddr, "The address at which it was asked.");
const PRODUCER_PORT: Field = Field("producer_port", FieldType::U16, "The port at which it was asked.");

const COLLECTORS: &[Metric] = &[
    counter("collections", Units::Count, "Times that a producer was asked and answered.").by(&[
        ROUTE,
        PRODUCER,
        PRODUCER_IP,
        PRODUCER_PORT,
    ]),
    counter("failed_collections", Units::Count, "Times that a producer was asked in vain.").by(&[
        ROUTE,
        PRODUCER,
        PRODUCER_IP,
        PRODUCER_PORT,
        Field("reason", FieldType::String, "Why."),
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
///
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
    fn names_and_fields_are_told_apart() {
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
