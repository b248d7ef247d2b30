use std::fmt::Write as _;

use croft_store::records::Role;

use super::{KINDS, Kind, Permission, Permissions};
use crate::{
    operation,
    resource::{RESOURCES, ReadScope},
};

fn letters(set: Permissions) -> String {
    let spelled: String = Permission::ALL
        .into_iter()
        .zip(['r', 'l', 'c', 'm'])
        .filter(|(permission, _)| set.allow(*permission))
        .map(|(_, letter)| letter)
        .collect();
    if spelled.is_empty() { "-".to_owned() } else { spelled }
}

/// The name of a kind in the table, without spaces.
fn name(kind: Kind) -> String {
    let mut name = String::new();
    for word in kind.row().name.split('_') {
        name.push_str(&word[..1]);
        name.push_str(&word[1..].to_lowercase());
    }
    name
}

#[test]
fn each_used_kind_is_listed_once() {
    let operations = [operation::ALL, operation::EXTENSIONS, operation::INTERNAL];
    let of_operations = operations.into_iter().flatten().map(|operation| operation.on);
    let of_records = RESOURCES.iter().filter_map(|entry| match entry.declaration.read_scope? {
        ReadScope::Fleet(kind)
        | ReadScope::Silo(kind)
        | ReadScope::Project(kind)
        | ReadScope::User(kind)
        | ReadScope::OfUser(kind) => Some(kind),
        ReadScope::Image | ReadScope::Policy | ReadScope::Probe | ReadScope::PoolLink => None,
    });
    for kind in of_operations.chain(of_records) {
        assert_eq!(KINDS.iter().filter(|listed| **listed == kind).count(), 1, "{kind:?} in for_each_kind!");
    }
}

#[test]
fn the_whole_table() {
    let mut text = String::from(
        "kind             fleet V    C    A     silo V    C    A  project V    C    A   member owner\n",
    );
    for kind in KINDS {
        let row = kind.row();
        write!(text, "{:<19}", name(*kind)).unwrap();
        for scope in [row.fleet, row.silo, row.project] {
            for role in [Role::Viewer, Role::Collaborator, Role::Admin] {
                write!(text, "{:>5}", letters(scope.of(role))).unwrap();
            }
            text.push_str("     ");
        }
        writeln!(text, "{:>5} {:>5}", letters(row.member), letters(row.owner)).unwrap();
    }
    insta::assert_snapshot!(text);
}
