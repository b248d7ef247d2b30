use croft_api::Result;
use croft_oxql::model::{Datum, FieldValue};
use croft_sled::Hypervisor;
use croft_store::{Database, ListBy, records::Sled, telemetry::Telemetry};
use jiff::Timestamp;

use super::{Batch, machines::of_sled};
use crate::paging;

/// Samples the links of the hosts.
pub(super) fn sample(
    db: &Database,
    telemetry: &Telemetry,
    now: Timestamp,
    hypervisor: &dyn Hypervisor,
) -> Result<()> {
    let links = hypervisor.link_counters();
    if links.is_empty() {
        return Ok(());
    }
    let (rack, sleds) = db.read_blocking(|tx| {
        Ok::<_, croft_api::Error>((super::rack(tx)?, paging::all::<Sled>(tx, &ListBy::All)?))
    })?;
    let mut batch = Batch::at(now);
    for link in links {
        let Some(sled) = sleds.iter().find(|sled| sled.meta.id == link.sled_id) else { continue };
        let mut fields: Vec<FieldValue> =
            vec![link.kind.into(), link.name.as_str().into(), "global".into(), rack.into()];
        fields.extend(of_sled(sled));
        let traffic = link.traffic;
        for (metric, value) in [
            ("bytes_sent", traffic.bytes_sent),
            ("bytes_received", traffic.bytes_received),
            ("packets_sent", traffic.packets_sent),
            ("packets_received", traffic.packets_received),
            ("errors_sent", traffic.errors_sent),
            ("errors_received", traffic.errors_received),
        ] {
            batch.add("sled_data_link", metric, fields.clone(), link.since, Datum::Unsigned(value));
        }
    }
    batch.record(telemetry);
    Ok(())
}
