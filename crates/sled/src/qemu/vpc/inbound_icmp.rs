//! Drops ICMP to the addresses that the server listens on while a setting forbids it, by a table of nftables
//! (`docs/rules/networking.md#inbound-icmp`).
//!
//! This is done only if the operator enables it. A file records the table's name while the table exists, so that the
//! table can be removed after a crash.

use std::{
    fmt::Write as _,
    fs, io,
    net::IpAddr,
    path::{Path, PathBuf},
    process::Command,
};

use uuid::Uuid;

use super::super::{
    files::{self, Accounts},
    process::find_program,
    programs,
};

/// The file in the data directory with the table's name.
const FILE: &str = "icmp-table";
/// The prefix of every name.
const PREFIX: &str = "croft-icmp-";

/// The table that drops ICMP, or the reason why this host cannot have one.
#[derive(Debug)]
pub struct InboundIcmp {
    nft: PathBuf,
    file: PathBuf,
    addresses: Vec<IpAddr>,
}

impl InboundIcmp {
    /// Prepares to drop ICMP to these addresses. An unspecified address means all of its family, and the unspecified
    /// IPv6 address both families. Removes the table of an earlier server.
    ///
    /// # Errors
    /// Why this host cannot drop ICMP, as text for its operator.
    pub fn open(data_directory: &Path, addresses: Vec<IpAddr>) -> Result<Self, String> {
        if Accounts::available().is_none() {
            return Err("that needs root".to_owned());
        }
        let nft = find_program("nft", &[]).ok_or("nft is not installed")?;
        let guard = Self { nft, file: data_directory.join(FILE), addresses };
        guard.allow().map_err(|error| error.to_string())?;
        Ok(guard)
    }

    /// Removes the table of an earlier server; for a server that does not drop ICMP.
    ///
    /// # Errors
    /// There is a table, and it cannot be removed.
    pub fn clear(data_directory: &Path) -> Result<(), String> {
        if !data_directory.join(FILE).exists() {
            return Ok(());
        }
        Self::open(data_directory, Vec::new()).map(drop)
    }

    /// Starts dropping ICMP. Idempotent.
    ///
    /// # Errors
    /// The rules cannot be applied.
    pub fn forbid(&self) -> io::Result<()> {
        let table = if let Some(table) = self.table()? {
            table
        } else {
            let table = name_table(Uuid::new_v4());
            files::replace(&self.file, table.as_bytes())?;
            table
        };
        self.nft(&ruleset(&table, &self.addresses))
    }

    /// Stops dropping ICMP. Idempotent.
    ///
    /// # Errors
    /// The rules cannot be removed.
    pub fn allow(&self) -> io::Result<()> {
        let Some(table) = self.table()? else { return Ok(()) };
        self.nft(&format!("table inet {table}\ndelete table inet {table}\n"))?;
        fs::remove_file(&self.file)
    }

    /// The name of the recorded table.
    fn table(&self) -> io::Result<Option<String>> {
        match fs::read_to_string(&self.file) {
            Ok(name) => {
                let wrong = || io::Error::other(format!("{} does not name a table", self.file.display()));
                is_table(&name).then_some(Some(name)).ok_or_else(wrong)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn nft(&self, ruleset: &str) -> io::Result<()> {
        programs::run(Command::new(&self.nft).args(["-f", "-"]), Some(ruleset), programs::LIMIT).map(drop)
    }
}

/// A new unique name.
fn name_table(id: Uuid) -> String {
    format!("{PREFIX}{}", &id.simple().to_string()[..8])
}

/// Whether this is the name of such a table.
fn is_table(name: &str) -> bool {
    let digits = name.strip_prefix(PREFIX).unwrap_or_default();
    digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The rules. These pass in any case: replies to the host, packets of existing connections (such as errors, including
/// "packet too big"), packets of the host to itself, and what IPv6 requires.
pub(super) fn ruleset(table: &str, addresses: &[IpAddr]) -> String {
    let mut drops = String::new();
    for family in ["ip", "ip6"] {
        let is_v4 = family == "ip";
        let own: Vec<&IpAddr> = addresses.iter().filter(|address| address.is_ipv4() == is_v4).collect();
        // A listener on the unspecified IPv6 address accepts connections of both families.
        let all = addresses.iter().any(|address| address.is_unspecified() && (address.is_ipv6() || is_v4));
        if all {
            let _ = writeln!(drops, "    meta nfproto {} drop", if is_v4 { "ipv4" } else { "ipv6" });
        } else if !own.is_empty() {
            let list: Vec<_> = own.into_iter().map(ToString::to_string).collect();
            let _ = writeln!(drops, "    {family} daddr {{ {} }} drop", list.join(", "));
        }
    }
    format!(
        "table inet {table}
delete table inet {table}
table inet {table} {{
  chain asking {{
    type filter hook input priority filter; policy accept;
    meta l4proto != {{ icmp, ipv6-icmp }} accept
    iif lo accept
    ct state related accept
    ct direction reply accept
    icmpv6 type {{ mld-listener-query, mld-listener-report, mld-listener-done, nd-router-solicit, nd-router-advert, \
nd-neighbor-solicit, nd-neighbor-advert, nd-redirect, mld2-listener-report }} accept
{drops}  }}
}}
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qemu::golden;

    #[test]
    fn names_of_tables_of_every_version_are_read() {
        let table = name_table(Uuid::from_u128(0x1234_5678 << 96));
        for (version, text) in golden::texts(FILE, &table) {
            assert!(is_table(&text), "version {version}");
            assert_eq!(text, table, "version {version}");
        }
        for other in ["croft-icmp-1234567", "croft-icmp-1234567g", "croft-icmp-12345678\n", "filter"] {
            assert!(!is_table(other), "{other}");
        }
    }
}
