use std::fmt::Write as _;

use croft_store::records::Role;

use super::{Permission, Permissions, TABLE};

fn letters(set: Permissions) -> String {
    let spelled: String = Permission::ALL
        .into_iter()
        .zip(['r', 'l', 'c', 'm'])
        .filter(|(permission, _)| set.allow(*permission))
        .map(|(_, letter)| letter)
        .collect();
    if spelled.is_empty() { "-".to_owned() } else { spelled }
}

#[test]
fn each_kind_stands_at_its_own_place() {
    for (position, row) in TABLE.iter().enumerate() {
        assert_eq!(row.kind as usize, position, "{:?}", row.kind);
    }
}

#[test]
fn the_whole_table() {
    let mut text = String::from(
        "kind             fleet V    C    A     silo V    C    A  project V    C    A   member owner\n",
    );
    for row in TABLE {
        write!(text, "{:<19}", format!("{:?}", row.kind)).unwrap();
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
