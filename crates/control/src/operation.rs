//! Lists of all operations, which are declared beside their rules.

pub use crate::authz::Operation;

macro_rules! assemble {
    ($($($module:ident)::+,)*) => {
        $(pub use crate::$($module)::+::operation::*;)*

        /// Every operation of the contract, in the order of their modules.
        pub const ALL: &[Operation] = list!($(crate::$($module)::+::OPERATIONS.contract),*);

        /// Extensions of the contract, which `openapi-croft.json` describes.
        pub const EXTENSIONS: &[Operation] = list!($(crate::$($module)::+::OPERATIONS.extensions),*);

        /// Operations without a request, which only have entries in the audit log.
        pub const INTERNAL: &[Operation] = list!($(crate::$($module)::+::OPERATIONS.internal),*);
    };
}

/// Concatenates lists.
macro_rules! list {
    ($($list:expr),*) => {{
        const LISTS: &[&[Operation]] = &[$($list),*];
        &concatenated::<{ len(LISTS) }>(LISTS)
    }};
}

for_each_declaration!(assemble);

const fn len(lists: &[&[Operation]]) -> usize {
    let (mut len, mut list) = (0, 0);
    while list < lists.len() {
        len += lists[list].len();
        list += 1;
    }
    len
}

const fn concatenated<const LEN: usize>(lists: &[&[Operation]]) -> [Operation; LEN] {
    let mut all = [LOGOUT; LEN];
    let (mut len, mut list) = (0, 0);
    while list < lists.len() {
        let mut position = 0;
        while position < lists[list].len() {
            all[len] = lists[list][position];
            len += 1;
            position += 1;
        }
        list += 1;
    }
    all
}

/// The operation of the contract or an extension with this id.
pub fn find(id: &str) -> Option<&'static Operation> {
    ALL.iter().chain(EXTENSIONS).find(|operation| operation.id == id)
}
