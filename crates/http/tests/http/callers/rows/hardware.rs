//! Rows of racks, sleds, switches and physical disks.

use serde_json::json;

use super::Row;

/// The first simulated sled.
pub const SLED: &str = "51ed0000-0000-4000-8000-000000010000";
/// One of its disks.
pub const DISK: &str = "51ed0000-0000-4000-8000-000000018000";
/// The first simulated switch.
pub const SWITCH: &str = "51ed0000-0000-4000-8000-000100000000";

pub fn all() -> Vec<Row> {
    vec![
        Row::new("rack_list", "F F FFF FFF +++"),
        Row::new("rack_view", "N N NNN NNN +++"),
        Row::new("sled_list", "F F FFF FFF +++"),
        Row::new("sled_list_uninitialized", "F F FFF FFF +++"),
        // The sled is already part of the fleet, which is checked last.
        Row::new("sled_add", "F F FFF FFF FF~")
            .body(json!({ "serial": "SIM0001", "part": "simulated-sled" })),
        Row::new("sled_view", "N N NNN NNN +++"),
        Row::new("sled_set_provision_policy", "N N NNN NNN FF+")
            .body(json!({ "state": "non_provisionable" })),
        Row::new("sled_instance_list", "N N NNN NNN +++"),
        Row::new("sled_physical_disk_list", "F F FFF FFF +++"),
        Row::new("physical_disk_list", "F F FFF FFF +++"),
        Row::new("physical_disk_view", "N N NNN NNN +++"),
        Row::new("switch_list", "F F FFF FFF +++"),
        Row::new("switch_view", "N N NNN NNN +++"),
    ]
}
