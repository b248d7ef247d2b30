//! The list of what is in the program, as CycloneDX defines it: https://cyclonedx.org/docs/1.6/json.

use data_encoding::{BASE64, HEXLOWER};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::failure::{Context, Outcome};
use crate::supply_chain::package::Registry;
pub(super) use crate::supply_chain::{Part, parts_of_server as parts};

/// The document.
pub(super) fn document(parts: &[Part], version: &str, epoch: &str) -> Outcome<Vec<u8>> {
    let seconds = epoch.parse().context("the time of the commit")?;
    let time = Timestamp::from_second(seconds).context("the time of the commit")?;
    let components: Vec<Value> = parts.iter().map(component).collect();
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": time.to_string(),
            "component": {
                "type": "application",
                "bom-ref": format!("croft@{version}"),
                "name": "croft",
                "version": version,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
    });
    Ok((serde_json::to_string_pretty(&document)? + "\n").into_bytes())
}

pub(super) fn component(part: &Part) -> Value {
    let Part { package, licence } = part;
    let (scope, name) = match package.name.split_once('/') {
        Some((scope, name)) => (Some(scope), name),
        None => (None, package.name.as_str()),
    };
    let kind = match package.registry {
        Registry::Cargo => "cargo",
        Registry::Npm => "npm",
    };
    let space = scope.map(|scope| scope.replace('@', "%40") + "/").unwrap_or_default();
    // A plus sign means a space in some readers of such addresses.
    let version = package.version.to_string();
    let address = format!("pkg:{kind}/{space}{name}@{}", version.replace('+', "%2B"));
    let mut component = json!({
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "licenses": [{ "expression": licence }],
    });
    if let Some(scope) = scope {
        component["group"] = scope.into();
    }
    if let Some((algorithm, content)) = package.checksum.as_deref().and_then(hash) {
        component["hashes"] = json!([{ "alg": algorithm, "content": content }]);
    }
    component
}

/// The algorithm and the hexadecimal content of a checksum of Cargo or of npm.
fn hash(checksum: &str) -> Option<(&'static str, String)> {
    match checksum.split_once('-') {
        None => Some(("SHA-256", checksum.to_owned())),
        Some(("sha512", content)) => {
            Some(("SHA-512", HEXLOWER.encode(&BASE64.decode(content.as_bytes()).ok()?)))
        }
        Some(_) => None,
    }
}
