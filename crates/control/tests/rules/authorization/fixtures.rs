use std::marker::PhantomData;

use croft_api::Result;
use croft_control::Cx;
use croft_store::{
    ListBy, Meta, Sort,
    records::{
        AccessToken, Affinity, AffinityPolicy, AntiAffinity, Certificate, FailureDomain, Group, GroupKind,
        GroupMembership, Image, SshKey,
    },
};
use uuid::Uuid;

use crate::{
    kit::{Cloud, GIB, User},
    kit_people::identity_provider,
};

/// Objects that the calls use, in addition to an instance and a disk. All are in the silo of most callers.
pub struct Fixtures {
    /// The user without a role.
    pub user: Uuid,
    /// Their token.
    pub token: Uuid,
    /// Their SSH key.
    pub key: Uuid,
    /// A group.
    pub group: Uuid,
    /// A certificate.
    pub certificate: Uuid,
    /// A provider.
    pub provider: Uuid,
    /// An image of the project.
    pub project_image: Uuid,
    /// An image of the silo.
    pub silo_image: Uuid,
    /// An affinity group with the running instance in it.
    pub affinity_group: Uuid,
    /// An anti-affinity group with the running instance in it.
    pub anti_affinity_group: Uuid,
    /// An instance that was never started.
    pub resting_instance: Uuid,
}

pub fn create(
    cloud: &mut Cloud,
    project: Uuid,
    user: &User,
    group: Uuid,
    [running, resting]: [Uuid; 2],
) -> Fixtures {
    let (silo, user) = (user.silo, user.id);
    cloud
        .rule(move |cx| {
            let tokens: Vec<AccessToken> = cx.tx.page(ListBy::Parent(user), Sort::IdAsc, None, 1)?;
            let [key, certificate, provider, project_image, silo_image] =
                std::array::from_fn(|_| cx.new_meta());
            let fixtures = Fixtures {
                user,
                token: tokens[0].meta.id,
                key: key.id,
                group,
                certificate: certificate.id,
                provider: provider.id,
                project_image: project_image.id,
                silo_image: silo_image.id,
                affinity_group: crew::<Affinity>(cx, silo, project, running)?,
                anti_affinity_group: crew::<AntiAffinity>(cx, silo, project, running)?,
                resting_instance: resting,
            };
            let public_key = "ssh-ed25519 AAAA".to_owned();
            let (name, description) = ("laptop".parse().unwrap(), "".into());
            cx.tx.insert(&SshKey {
                meta: key,
                user_id: user,
                silo_id: silo,
                name,
                description,
                public_key,
            })?;
            let certificate = Certificate {
                meta: certificate,
                silo_id: silo,
                name: "main".parse().unwrap(),
                description: "".into(),
                chain: String::new(),
                sealed_key: String::new(),
                time_expires: cx.now,
            };
            cx.tx.insert(&certificate)?;
            cx.tx.insert(&identity_provider(provider, silo, "corp"))?;
            cx.tx.insert(&image(project_image, silo, Some(project)))?;
            cx.tx.insert(&image(silo_image, silo, None))?;
            Ok(fixtures)
        })
        .unwrap()
}

/// Creates a group with one member.
fn crew<K: GroupKind>(
    cx: &mut Cx<'_, '_>,
    silo_id: Uuid,
    project_id: Uuid,
    instance_id: Uuid,
) -> Result<Uuid> {
    let group = Group::<K> {
        meta: cx.new_meta(),
        silo_id,
        project_id,
        name: "crew".parse().unwrap(),
        description: "".into(),
        policy: AffinityPolicy::Allow,
        failure_domain: FailureDomain::Sled,
        kind: PhantomData,
    };
    cx.tx.insert(&group)?;
    let (meta, group_id) = (cx.new_meta(), group.meta.id);
    let kind = PhantomData::<K>;
    cx.tx.insert(&GroupMembership { meta, silo_id, project_id, group_id, instance_id, kind })?;
    Ok(group_id)
}

fn image(meta: Meta, silo_id: Uuid, project_id: Option<Uuid>) -> Image {
    Image {
        name: format!("image-{}", if project_id.is_some() { "project" } else { "silo" }).parse().unwrap(),
        meta,
        silo_id,
        project_id,
        description: "".into(),
        os: "debian".to_owned(),
        version: "13".to_owned(),
        size: GIB.try_into().unwrap(),
        block_size: 512_u64.try_into().unwrap(),
        volume_id: Uuid::nil(),
    }
}
