use croft_api::permission::PermissionLevel;
use croft_store::records::Role;

use super::Permission;

/// A set of [permissions](Permission).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permissions(u8);

impl Permissions {
    /// Reads a set as the table spells it: `r` read, `l` list, `c` create, `m` modify, `-` nothing.
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

/// What viewers, collaborators and admins of one scope may do.
#[derive(Clone, Copy, Debug)]
pub struct ByRole([Permissions; 3]);

impl ByRole {
    /// In the order viewer, collaborator, admin.
    const fn parse(viewer: &str, collaborator: &str, admin: &str) -> Self {
        Self([Permissions::parse(viewer), Permissions::parse(collaborator), Permissions::parse(admin)])
    }

    /// What a role may do, with what lesser roles may.
    pub fn of(self, role: Role) -> Permissions {
        Permissions(self.0[..=role as usize].iter().fold(0, |all, set| all | set.0))
    }

    /// Whether any role of the scope may do this.
    pub(super) fn any(self, permission: Permission) -> bool {
        self.of(Role::Admin).allow(permission)
    }
}

impl Row {
    /// The least role of each level that permits something, the nearest level first.
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

/// What may be done to one kind of object.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The kind, at its own place in the table.
    pub kind: Kind,
    /// By roles on the fleet.
    pub fleet: ByRole,
    /// By roles on the object's silo.
    pub silo: ByRole,
    /// By roles on the object's project.
    pub project: ByRole,
    /// By any user of the object's silo.
    pub member: Permissions,
    /// By the user that the object is, or belongs to.
    pub owner: Permissions,
}

type Text3 = [&'static str; 3];

const fn row(kind: Kind, fleet: Text3, silo: Text3, project: Text3, member: &str, owner: &str) -> Row {
    Row {
        kind,
        fleet: ByRole::parse(fleet[0], fleet[1], fleet[2]),
        silo: ByRole::parse(silo[0], silo[1], silo[2]),
        project: ByRole::parse(project[0], project[1], project[2]),
        member: Permissions::parse(member),
        owner: Permissions::parse(owner),
    }
}

const NONE: Text3 = ["-", "-", "-"];
/// A silo's viewers are viewers of its projects; its collaborators and admins are their admins.
const SILO_ON_PROJECT: Text3 = ["rl", "rlcm", "rlcm"];
const INSIDE_PROJECT: Text3 = ["rl", "rlcm", "rlcm"];

impl Kind {
    /// What an object of this kind is part of, as far as roles are concerned.
    pub fn level(self) -> PermissionLevel {
        match self {
            Self::Project
            | Self::Instance
            | Self::AffinityGroup
            | Self::Disk
            | Self::Snapshot
            | Self::Image
            | Self::Vpc
            | Self::FloatingIp
            | Self::Probe => PermissionLevel::Project,
            Self::SiloUser
            | Self::SshKey
            | Self::AccessToken
            | Self::TokenList
            | Self::SessionList
            | Self::SecondFactor => PermissionLevel::User,
            Self::Silo
            | Self::SiloImage
            | Self::SiloGroup
            | Self::UserList
            | Self::ProviderList
            | Self::IdentityProvider
            | Self::CertificateList
            | Self::Certificate
            | Self::AuthSettings
            | Self::Quotas
            | Self::LinkedIpPool => PermissionLevel::Silo,
            Self::Fleet
            | Self::BuiltinUser
            | Self::Sled
            | Self::SupportBundle
            | Self::IpPoolCollection
            | Self::IpPool
            | Self::SystemNetwork
            | Self::Alert
            | Self::AlertClassList
            | Self::AlertReceiver
            | Self::WebhookSecret
            | Self::SystemUpdate
            | Self::AuditLog => PermissionLevel::Fleet,
        }
    }
}

macro_rules! table {
    ($($(#[$doc:meta])* $kind:ident: $fleet:expr, $silo:expr, $project:expr, $member:expr, $owner:expr;)*) => {
        /// Kinds of objects, as far as permissions tell them apart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($(#[$doc])* $kind,)*
        }

        /// The table: for each kind, what viewers, collaborators and admins of the fleet, the silo and the project
        /// may do, then any user of the silo, then the owner.
        pub static TABLE: &[Row] = &[
            $(row(Kind::$kind, $fleet, $silo, $project, $member, $owner)),*
        ];
    };
}

table! {
    /// The fleet and its policy.
    Fleet: ["rl", "rlc", "rlcm"], NONE, NONE, "-", "-";
    /// A silo and its policy.
    Silo: ["r", "rm", "rm"], ["rl", "rlc", "rlcm"], NONE, "r", "-";
    /// A project and its policy.
    Project: NONE, SILO_ON_PROJECT, ["rl", "rlc", "rlcm"], "-", "-";
    /// An instance and what belongs to it alone.
    Instance: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// An affinity or anti-affinity group.
    AffinityGroup: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// A disk.
    Disk: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// A snapshot.
    Snapshot: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// An image of a project.
    Image: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// An image that belongs to a silo rather than to one of its projects.
    SiloImage: NONE, ["r", "rm", "rm"], NONE, "-", "-";
    /// A VPC and what is inside it.
    Vpc: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// A floating IP.
    FloatingIp: NONE, SILO_ON_PROJECT, INSIDE_PROJECT, "-", "-";
    /// A user of a silo.
    SiloUser: ["r", "r", "rm"], ["r", "r", "rm"], NONE, "r", "rm";
    /// A group of a silo.
    SiloGroup: ["r", "r", "r"], ["r", "r", "rm"], NONE, "r", "-";
    /// The users of a silo, as a list.
    UserList: ["l", "l", "lc"], ["l", "l", "lc"], NONE, "l", "-";
    /// A user's SSH key.
    SshKey: ["r", "r", "rm"], ["r", "r", "rm"], NONE, "r", "rlcm";
    /// A user's bearer token.
    AccessToken: NONE, NONE, NONE, "-", "rm";
    /// A user's bearer tokens, as a list.
    TokenList: NONE, ["-", "-", "lm"], NONE, "-", "lm";
    /// A user's sessions, as a list.
    SessionList: NONE, ["-", "-", "lm"], NONE, "-", "lm";
    /// A user's second factors and recovery codes.
    SecondFactor: NONE, NONE, NONE, "-", "rlcm";
    /// The identity providers of a silo, as a list.
    ProviderList: ["l", "l", "lc"], ["l", "l", "lc"], NONE, "l", "-";
    /// An identity provider of a silo.
    IdentityProvider: ["r", "r", "rm"], ["r", "r", "rm"], NONE, "-", "-";
    /// The certificates of a silo, as a list.
    CertificateList: ["-", "-", "lc"], ["-", "-", "lc"], NONE, "-", "-";
    /// A certificate of a silo.
    Certificate: ["-", "-", "rm"], ["-", "-", "rm"], NONE, "-", "-";
    /// What a silo decided about its tokens.
    AuthSettings: ["r", "rm", "rm"], ["r", "r", "rm"], NONE, "r", "-";
    /// The quotas of a silo, which the silo itself cannot lift.
    Quotas: ["r", "rm", "rm"], ["r", "r", "r"], NONE, "r", "-";
    /// One of the system's own users.
    BuiltinUser: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// A rack, or what stands in it: sleds, their disks, switches.
    Sled: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// A support bundle.
    SupportBundle: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// The IP pools of the fleet, as a list.
    IpPoolCollection: ["l", "l", "lcm"], NONE, NONE, "-", "-";
    /// An IP pool.
    IpPool: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// An IP pool as the silos see it that are linked to it.
    LinkedIpPool: NONE, NONE, NONE, "r", "-";
    /// What tests networks, beside the rights that its project asks for.
    Probe: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// The network between the racks and the world: switches, their ports, their addresses and routes.
    SystemNetwork: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// What receivers are told of.
    Alert: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// The classes of alerts, as a list.
    AlertClassList: ["l", "l", "l"], NONE, NONE, "-", "-";
    /// Somebody to whom alerts are delivered.
    AlertReceiver: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// What signs deliveries to a receiver.
    WebhookSecret: ["r", "r", "rm"], NONE, NONE, "-", "-";
    /// Updates of the system: trusted root roles, repositories, the release that is wanted.
    SystemUpdate: ["rl", "rl", "rlcm"], NONE, NONE, "-", "-";
    /// The audit log.
    AuditLog: ["l", "l", "l"], NONE, NONE, "-", "-";
}
