use std::{fmt, hash, ptr};

use croft_api::permission::PermissionLevel;
use croft_store::records::Role;

use super::Permission;

/// A set of [permissions](Permission).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions(u8);

impl Permissions {
    /// Reads a set as declarations spell it: `r` read, `l` list, `c` create, `m` modify, `-` nothing.
    const fn parse(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut set = 0;
        let mut position = 0;
        while position < bytes.len() {
            set |= match bytes[position] {
                b'r' => 1 << Permission::Read as u8,
                b'l' => 1 << Permission::List as u8,
                b'c' => 1 << Permission::Create as u8,
                b'm' => 1 << Permission::Modify as u8,
                b'-' => 0,
                _ => panic!("a permission is one of r, l, c, m, -"),
            };
            position += 1;
        }
        Self(set)
    }

    /// Whether the permission is in the set.
    pub const fn allow(self, permission: Permission) -> bool {
        self.0 & (1 << permission as u8) != 0
    }
}

/// The permissions of viewers, collaborators and admins of one scope.
#[derive(Clone, Copy, Debug)]
pub struct ByRole([Permissions; 3]);

impl ByRole {
    const NONE: Self = Self::parse(["-", "-", "-"]);

    /// In the order viewer, collaborator, admin.
    const fn parse([viewer, collaborator, admin]: [&str; 3]) -> Self {
        Self([Permissions::parse(viewer), Permissions::parse(collaborator), Permissions::parse(admin)])
    }

    /// The permissions of a role, including those of lesser roles.
    pub fn of(self, role: Role) -> Permissions {
        Permissions(self.0[..=role as usize].iter().fold(0, |all, set| all | set.0))
    }

    /// Whether any role of the scope has this permission.
    pub(super) fn any(self, permission: Permission) -> bool {
        self.of(Role::Admin).allow(permission)
    }
}

/// The row of the table for one kind of object.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name of the kind: that of its constant.
    pub name: &'static str,
    /// The level of objects of this kind, for role lookups.
    pub level: PermissionLevel,
    /// Permissions by roles on the fleet.
    pub fleet: ByRole,
    /// Permissions by roles on the object's silo.
    pub silo: ByRole,
    /// Permissions by roles on the object's project.
    pub project: ByRole,
    /// Permissions of any user of the object's silo.
    pub member: Permissions,
    /// Permissions of the user that the object is, or belongs to.
    pub owner: Permissions,
}

/// Constructors for declarations: each starts with a level and grants only what is added.
impl Row {
    /// Creates a row of this level without permissions.
    pub(crate) const fn at(level: PermissionLevel) -> Self {
        Self {
            name: "",
            level,
            fleet: ByRole::NONE,
            silo: ByRole::NONE,
            project: ByRole::NONE,
            member: Permissions::parse("-"),
            owner: Permissions::parse("-"),
        }
    }

    /// Creates a row of the fleet.
    pub(crate) const fn in_fleet() -> Self {
        Self::at(PermissionLevel::Fleet)
    }

    /// Creates a row of a silo.
    pub(crate) const fn in_silo() -> Self {
        Self::at(PermissionLevel::Silo)
    }

    /// Creates a row of a project with the usual permissions: a silo's viewers are viewers of its projects; its
    /// collaborators and admins are admins of its projects.
    pub(crate) const fn in_project() -> Self {
        let inside = ["rl", "rlcm", "rlcm"];
        Self::at(PermissionLevel::Project).silo(inside).project(inside)
    }

    /// Creates a row of a user.
    pub(crate) const fn of_user() -> Self {
        Self::at(PermissionLevel::User)
    }

    /// Grants permissions to viewers, collaborators and admins of the fleet.
    pub(crate) const fn fleet(mut self, by_role: [&str; 3]) -> Self {
        self.fleet = ByRole::parse(by_role);
        self
    }

    /// Grants permissions to viewers, collaborators and admins of the object's silo.
    pub(crate) const fn silo(mut self, by_role: [&str; 3]) -> Self {
        self.silo = ByRole::parse(by_role);
        self
    }

    /// Grants permissions to viewers, collaborators and admins of the object's project.
    pub(crate) const fn project(mut self, by_role: [&str; 3]) -> Self {
        self.project = ByRole::parse(by_role);
        self
    }

    /// Grants permissions to any user of the object's silo.
    pub(crate) const fn member(mut self, permissions: &str) -> Self {
        self.member = Permissions::parse(permissions);
        self
    }

    /// Grants permissions to the user that the object is, or belongs to.
    pub(crate) const fn owner(mut self, permissions: &str) -> Self {
        self.owner = Permissions::parse(permissions);
        self
    }

    /// Sets the name of the kind.
    pub(crate) const fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// The least role of each level that grants the permission, the nearest level first.
    pub fn sufficient(&self, permission: Permission) -> Vec<(PermissionLevel, Role)> {
        let levels = [
            (PermissionLevel::Project, self.project),
            (PermissionLevel::Silo, self.silo),
            (PermissionLevel::Fleet, self.fleet),
        ];
        let least = |(level, by_role): (PermissionLevel, ByRole)| {
            let roles = [Role::Viewer, Role::Collaborator, Role::Admin];
            roles.into_iter().find(|role| by_role.of(*role).allow(permission)).map(|role| (level, role))
        };
        levels.into_iter().filter_map(least).collect()
    }
}

/// A kind of object in the authorization table. Its constant and its [`Row`] are declared beside the rules of the
/// resource, with `kinds!`; [`KINDS`](super::KINDS) lists all of them.
#[derive(Clone, Copy)]
pub struct Kind(&'static Row);

impl Kind {
    /// Creates the kind with this row. A row must belong to one kind only.
    pub(crate) const fn of(row: &'static Row) -> Self {
        Self(row)
    }

    /// The kind's row of the table.
    pub const fn row(self) -> &'static Row {
        self.0
    }

    /// The level of objects of this kind, for role lookups.
    pub const fn level(self) -> PermissionLevel {
        self.0.level
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.0, other.0)
    }
}

impl Eq for Kind {}

impl hash::Hash for Kind {
    fn hash<H: hash::Hasher>(&self, state: &mut H) {
        ptr::hash(self.0, state);
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0.name)
    }
}

/// Declares kinds of objects: constants of [`Kind`], each with its [`Row`].
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        impl $crate::authz::Kind {
            $(
                $(#[$doc])*
                pub const $name: Self = {
                    use $crate::authz::Row;
                    static ROW: Row = $row.named(stringify!($name));
                    Self::of(&ROW)
                };
            )*
        }
    };
}
pub(crate) use kinds;
