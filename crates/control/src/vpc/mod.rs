//! VPCs (`docs/rules/networking.md#vpcs`).

mod create;
mod references;

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
    vpc::{self as api, OptionalVpcSelector, VpcSelector, VpcUpdate},
};
use croft_store::{
    ListBy, Record as _,
    records::{InternetGateway, Vpc, VpcFirewall, VpcRouter, VpcSubnet},
};
use uuid::Uuid;

pub use create::create;
use create::insert_default;
pub(crate) use create::{MACS, is_unique_local};
pub(crate) use references::{Named, references, routes};

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{Kind, Permission},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::change_identity,
    free_run,
    listing::{self, Within},
    paging,
    project::{self, InProject},
    resource,
};

crate::authz::kinds! {
    /// A VPC and the resources in it.
    VPC = Row::in_project();
}

crate::authz::operations! {
    contract {
        VPC_LIST = reads(Kind::PROJECT, Permission::List);
        VPC_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        VPC_VIEW = reads(Kind::VPC, Permission::Read);
        VPC_UPDATE = changes(Kind::VPC, Permission::Modify, 200);
        VPC_DELETE = changes(Kind::VPC, Permission::Modify, 204).lost_race(DELETION_RACED);
    }
    extensions {
        VPC_SEARCH = reads(Kind::PROJECT, Permission::List);
    }
}

/// Number of reserved addresses at the start of each block of a subnet.
pub(crate) const RESERVED: u8 = 5;

pub(crate) fn to_view(vpc: &Vpc) -> api::Vpc {
    api::Vpc {
        id: vpc.meta.id,
        name: vpc.name.clone(),
        description: vpc.description.clone(),
        time_created: vpc.meta.time_created,
        time_modified: vpc.meta.time_modified,
        project_id: vpc.project_id,
        system_router_id: vpc.system_router_id,
        ipv6_prefix: vpc.ipv6_prefix,
        dns_name: vpc.dns_name.clone(),
    }
}

impl Resource for Vpc {
    const DECLARATION: Declaration = Declaration::in_project(Kind::VPC)
        .message(ResourceKind::Vpc)
        .blocks_project(7)
        .created_with_project(insert_default)
        .deletable(Self::DELETABLE);
}

impl InProject for Vpc {
    const REFUSALS: [&'static str; 2] = [
        "when providing vpc as an ID, project should not be specified",
        "vpc should either be an ID or project should be specified",
    ];
}

/// Looks a VPC up: by id without a project, or by name within one.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Vpc>> {
    project::find_inside(cx, caller, vpc, project)
}

/// The parent VPC of a resource. The caller must be allowed to see it.
pub(crate) fn enter(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Authorized<Vpc>> {
    find(cx, caller, vpc, project)?.authorize(cx, caller, Permission::Read)
}

/// The VPC of a selector, for an operation on it.
pub(crate) fn select(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &VpcSelector,
    operation: &Operation,
) -> Result<Authorized<Vpc>> {
    find(cx, caller, &selector.vpc, selector.project.as_ref())?.authorize(cx, caller, operation)
}

/// Looks up a resource of a VPC: by id without parents, or by name within a VPC. `refusals` are the errors for an id
/// with parents, and for a name without a VPC.
pub(crate) fn find_inside<R: Resource>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
    within: &OptionalVpcSelector,
    refusals: [&str; 2],
) -> Result<LookupResult<R>> {
    match (selector, &within.vpc) {
        (NameOrId::Id(id), None) if within.project.is_none() => Ok(LookupResult::new(cx.tx.get(*id)?, *id)),
        (NameOrId::Id(_), _) => Err(Error::invalid_request(refusals[0])),
        (NameOrId::Name(_), None) => Err(Error::invalid_request(refusals[1])),
        (NameOrId::Name(name), Some(vpc)) => {
            let vpc = enter(cx, caller, vpc, within.project.as_ref())?;
            Ok(LookupResult::new(cx.tx.get_by_name(vpc.meta.id, name.as_str())?, name))
        }
    }
}

/// Looks up a resource with a parent in a VPC: by id without parents, or by name within the parent, which `find_parent`
/// looks up and the caller must be allowed to see. `refusals` are the errors for an id with parents, and for a name
/// without a parent.
pub(crate) fn find_below<Parent: Resource, R: Resource>(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    selector: &NameOrId,
    (parent, within): (Option<&NameOrId>, OptionalVpcSelector),
    refusals: [&str; 2],
    find_parent: impl FnOnce(
        &mut Cx<'_, '_>,
        &Caller,
        &NameOrId,
        &OptionalVpcSelector,
    ) -> Result<LookupResult<Parent>>,
) -> Result<LookupResult<R>> {
    match (selector, parent) {
        (NameOrId::Id(id), None) if within.vpc.is_none() && within.project.is_none() => {
            Ok(LookupResult::new(cx.tx.get(*id)?, *id))
        }
        (NameOrId::Id(_), _) => Err(Error::invalid_request(refusals[0])),
        (NameOrId::Name(_), None) => Err(Error::invalid_request(refusals[1])),
        (NameOrId::Name(name), Some(parent)) => {
            let parent = find_parent(cx, caller, parent, &within)?.authorize(cx, caller, Permission::Read)?;
            Ok(LookupResult::new(cx.tx.get_by_name(parent.meta().id, name.as_str())?, name))
        }
    }
}

/// `vpc_list`: the VPCs of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Vpc>> {
    let project = project::find(cx, caller, &query.selector.project)?;
    let project = project.authorize(cx, caller, &operation::VPC_LIST)?;
    let vpcs: Vec<Vpc> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(vpcs.iter().map(to_view).collect()))
}

/// `vpc_search`: the VPCs of a project that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<ProjectSelector>,
) -> Result<FoundPage<api::Vpc>> {
    let project = project::find(cx, caller, &query.selector.of.project)?;
    let project = project.authorize(cx, caller, &operation::VPC_SEARCH)?;
    let found = listing::find::<Vpc, _>(cx, Within::project(project.meta.id), query, None)?;
    Ok(found.page(query, to_view))
}

/// `vpc_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Vpc> {
    Ok(to_view(&*find(cx, caller, vpc, project)?.authorize(cx, caller, &operation::VPC_VIEW)?))
}

/// `vpc_update`: absent fields are unchanged. Firewall rules that refer to the VPC keep the old name.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
    params: &VpcUpdate,
) -> Result<api::Vpc> {
    let mut vpc = find(cx, caller, vpc, project)?.authorize(cx, caller, &operation::VPC_UPDATE)?.into_inner();
    change_identity(&mut vpc.name, &mut vpc.description, &params.identity)?;
    if let Some(dns_name) = &params.dns_name {
        vpc.dns_name = dns_name.clone();
    }
    vpc.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::Vpc, &mut vpc)?;
    Ok(to_view(&vpc))
}

/// `vpc_delete`: refused while there is a subnet in it. Deletes everything else in it.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    vpc: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let mut vpc = find(cx, caller, vpc, project)?.authorize(cx, caller, &operation::VPC_DELETE)?.into_inner();
    deletable::require(cx, caller, &vpc)?;
    resource::delete_with_vpc(cx, &vpc)?;
    free_run::forget(cx, vpc.meta.id)?;
    Ok(cx.tx.delete(&mut vpc, cx.now)?)
}

impl Deletable for Vpc {
    const DELETION: Operation = operation::VPC_DELETE;
    const PATH: &'static str = "/v1/vpcs/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None)
    }

    fn blockers(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let subnets = Dependents::list::<VpcSubnet>(DeletionEffect::Prevents, ListBy::Parent(self.meta.id));
        Ok(vec![subnets.along().refused_because("VPC cannot be deleted while VPC Subnets exist")])
    }

    fn effects(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, within) = (DeletionEffect::Deleted, || ListBy::Parent(self.meta.id));
        let rules = references::rules(cx.tx, self.meta.id, |_| true)?;
        Ok(vec![
            Dependents::list::<VpcRouter>(deleted, within()),
            Dependents::list::<InternetGateway>(deleted, within()),
            Dependents::parts(references::FIREWALL_RULE, VpcFirewall::TABLE.name, deleted, rules),
        ])
    }
}
