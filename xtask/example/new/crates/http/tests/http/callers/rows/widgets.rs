//! Widgets.

use serde_json::{Value, json};

use super::Row;

pub fn new(name: &str) -> Value {
    json!({ "name": name, "description": "", "size": 1 })
}

pub fn all() -> Vec<Row> {
    vec![
        Row::inside("widget_list", "N N +++ +++ NNN"),
        Row::inside("widget_create", "N N F++ F++ NNN").body(new("new")),
        Row::inside("widget_view", "N N +++ +++ NNN"),
        Row::inside("widget_delete", "N N F++ F++ NNN"),
    ]
}
