//! ICMP to the addresses that the server listens on: dropped by a table of nftables while a setting forbids it
//! (`docs/rules/networking.md#inbound-icmp`).
//!
//! What a host answers is its operator's business, so nothing of this is done unless the operator asks for it. A file keeps
//! the table's name for as long as there is a table, so that the next server removes what a server that crashed has left.

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

/// The file in the data directory that has the table's name.
const FILE: &str = "icmp-table";
/// How every name begins.
const PREFIX: &str = "croft-icmp-";

/// The table, as far as this host can have one.
#[derive(Debug)]
pub struct InboundIcmp {
    nft: PathBuf,
    file: PathBuf,
    addresses: Vec<IpAddr>,
}

impl InboundIcmp {
    /// Gets ready to drop ICMP to these addresses, of which an unspecified one stands for all of its family, and the
    /// unspecified IPv6 address for both families. Whatever an earlier server has left is removed.
    ///
    /// # Errors
    /// Why this host cannot do it, in words for its operator.
    pub fn open(data_directory: &Path, addresses: Vec<IpAddr>) -> Result<Self, String> {
        if Accounts::available().is_none() {
            return Err("that needs root".to_owned());
        }
        let nft = find_program("nft", &[]).ok_or("nft is not installed")?;
        let guard = Self { nft, file: data_directory.join(FILE), addresses };
        guard.allow().map_err(|error| error.to_string())?;
        Ok(guard)
    }

    /// Removes what an earlier server has left, if it has left something; for a server that is not to drop anything.
    ///
    /// # Errors
    /// There is something, and it cannot be removed.
    pub fn clear(data_directory: &Path) -> Result<(), String> {
        if !data_directory.join(FILE).exists() {
            return Ok(());
        }
        Self::open(data_directory, Vec::new()).map(drop)
    }

    /// Has ICMP dropped. Repeating it changes nothing.
    ///
    /// # Errors
    /// The rules cannot be put in force.
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

    /// Has nothing dropped any more. Repeating it changes nothing.
    ///
    /// # Errors
    /// The rules cannot be removed.
    pub fn allow(&self) -> io::Result<()> {
        let Some(table) = self.table()? else { return Ok(()) };
        self.nft(&format!("table inet {table}\ndelete table inet {table}\n"))?;
        fs::remove_file(&self.file)
    }

    /// The name of the table that there may be.
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

/// A name that no other table has.
fn name_table(id: Uuid) -> String {
    format!("{PREFIX}{}", &id.simple().to_string()[..8])
}

/// Whether this is the name of such a table.
fn is_table(name: &str) -> bool {
    let digits = name.strip_prefix(PREFIX).unwrap_or_default();
    digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The rules. What answers the host, what belongs to exchanges under way (such as errors, packets that are too big among
/// them), what the host sends to itself, and what IPv6 cannot do without pass in any case.
pub(super) fn ruleset(table: &str, addresses: &[IpAddr]) -> String {
    let mut drops = String::new();
    for family in ["ip", "ip6"] {
        let is_v4 = family == "ip";
        let own: Vec<&IpAddr> = addresses.iter().filter(|address| address.is_ipv4() == is_v4).collect();
        // A listener on the unspecified IPv6 address takes connections of both families.
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
