//! Floating IPs (`docs/rules/networking.md#floating-ips` and
//! `docs/rules/networking.md#attaching-and-detaching-external-ips`).

use croft_api::{
    Error, ResourceKind, Result,
    deletion::DeletionEffect,
    floating_ip::{self as api, FloatingIpAttach, FloatingIpCreate, FloatingIpUpdate},
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
};
use croft_store::{
    ListBy,
    records::{FloatingIp, Instance},
};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::{Kind, Permission},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::{change_identity, check_description},
    external_ip::{self, Change, allow, floating_to_view},
    ip_pool::{self, Family},
    listing::{self, Within},
    network_interface, paging,
    project::{self, InProject},
};

crate::authz::kinds! {
    /// A floating IP.
    FLOATING_IP = Row::in_project();
}

crate::authz::operations! {
    contract {
        FLOATING_IP_LIST = reads(Kind::PROJECT, Permission::List);
        FLOATING_IP_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        FLOATING_IP_VIEW = reads(Kind::FLOATING_IP, Permission::Read);
        FLOATING_IP_UPDATE = changes(Kind::FLOATING_IP, Permission::Modify, 200);
        FLOATING_IP_DELETE = changes(Kind::FLOATING_IP, Permission::Modify, 204);
        FLOATING_IP_ATTACH = changes(Kind::FLOATING_IP, Permission::Modify, 202);
        FLOATING_IP_DETACH = changes(Kind::FLOATING_IP, Permission::Modify, 202);
    }
    extensions {
        FLOATING_IP_SEARCH = reads(Kind::PROJECT, Permission::List);
    }
}

impl Resource for FloatingIp {
    const DECLARATION: Declaration = Declaration::in_project(Kind::FLOATING_IP)
        .message(ResourceKind::FloatingIp)
        .blocks_project(3)
        .deletable(Self::DELETABLE);
}

impl InProject for FloatingIp {
    const REFUSALS: [&'static str; 2] = [
        "when providing Floating IP as an ID project should not be specified",
        "Floating IP should either be UUID or project should be specified",
    ];
}

/// Looks a floating IP up: by id without a project, or by name within one.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<FloatingIp>> {
    project::find_inside(cx, caller, floating_ip, project)
}

/// `floating_ip_list`: the floating IPs of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::FloatingIp>> {
    let project = project::find(cx, caller, &query.selector.project)?;
    let project = project.authorize(cx, caller, &operation::FLOATING_IP_LIST)?;
    let floating: Vec<FloatingIp> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(floating.iter().map(floating_to_view).collect()))
}

/// `floating_ip_create`: with the requested address, or the lowest free one.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &FloatingIpCreate,
) -> Result<api::FloatingIp> {
    let project =
        project::find(cx, caller, project)?.authorize(cx, caller, &operation::FLOATING_IP_CREATE)?;
    check_description(&params.identity.description)?;
    let ip_pool_id = ip_pool::choose(cx, caller, params.pool.as_ref())?;
    let ip = match params.ip {
        None => ip_pool::take_lowest(cx, ip_pool_id, None)?,
        Some(ip) if ip_pool::take(cx, ip_pool_id, ip)? => ip,
        Some(_) => return Err(Error::invalid_request("Requested external IP address not available")),
    };
    let floating = FloatingIp {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        ip_pool_id,
        ip,
        instance_id: None,
    };
    cx.insert_named(ResourceKind::FloatingIp, &floating)?;
    Ok(floating_to_view(&floating))
}

/// `floating_ip_search`: the floating IPs of a project that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<ProjectSelector>,
) -> Result<FoundPage<api::FloatingIp>> {
    let project = project::find(cx, caller, &query.selector.of.project)?;
    let project = project.authorize(cx, caller, &operation::FLOATING_IP_SEARCH)?;
    let found = listing::find::<FloatingIp, _>(cx, Within::project(project.meta.id), query, None)?;
    Ok(found.page(query, floating_to_view))
}

/// `floating_ip_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::FloatingIp> {
    let floating = find(cx, caller, floating_ip, project)?;
    Ok(floating_to_view(&*floating.authorize(cx, caller, &operation::FLOATING_IP_VIEW)?))
}

/// `floating_ip_update`: absent fields are unchanged.
pub fn update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
    params: &FloatingIpUpdate,
) -> Result<api::FloatingIp> {
    let floating = find(cx, caller, floating_ip, project)?;
    let mut floating = floating.authorize(cx, caller, &operation::FLOATING_IP_UPDATE)?.into_inner();
    change_identity(&mut floating.name, &mut floating.description, &params.identity)?;
    floating.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::FloatingIp, &mut floating)?;
    Ok(floating_to_view(&floating))
}

/// `floating_ip_delete`: returns the address to its pool.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let floating = find(cx, caller, floating_ip, project)?;
    let mut floating = floating.authorize(cx, caller, &operation::FLOATING_IP_DELETE)?.into_inner();
    deletable::require(cx, caller, &floating)?;
    ip_pool::give_back(cx, floating.ip_pool_id, floating.ip)?;
    Ok(cx.tx.delete(&mut floating, cx.now)?)
}

impl Deletable for FloatingIp {
    const DELETION: Operation = operation::FLOATING_IP_DELETE;
    const PATH: &'static str = "/v1/floating-ips/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None)
    }

    fn blockers(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let Some(instance) = self.instance_id else { return Ok(Vec::new()) };
        let instance: Option<Instance> = cx.tx.get(instance)?;
        let instance = Dependents::found(DeletionEffect::Prevents, instance.as_slice());
        Ok(vec![instance.refused_because("Floating IP cannot be deleted while attached to an instance")])
    }
}

/// `floating_ip_attach`: to an instance of the same project, which may be running.
pub fn attach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
    params: &FloatingIpAttach,
) -> Result<api::FloatingIp> {
    let floating = find(cx, caller, floating_ip, project)?;
    let floating = floating.authorize(cx, caller, &operation::FLOATING_IP_ATTACH)?.into_inner();
    let project = NameOrId::Id(floating.project_id);
    let project = matches!(params.parent, NameOrId::Name(_)).then_some(&project);
    let instance = external_ip::enter_instance(cx, caller, &params.parent, project)?;
    Ok(floating_to_view(&attach_to(cx, floating, &instance)?))
}

/// Attaches the floating IP that a new instance requests. A name means one of the instance's project.
pub(crate) fn attach_to_new(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    instance: &Instance,
) -> Result<()> {
    let project = NameOrId::Id(instance.project_id);
    let project = matches!(floating_ip, NameOrId::Name(_)).then_some(&project);
    let floating = find(cx, caller, floating_ip, project)?.authorize(cx, caller, Permission::Modify)?;
    attach_to(cx, floating.into_inner(), instance).map(|_| ())
}

fn attach_to(cx: &mut Cx<'_, '_>, mut floating: FloatingIp, instance: &Instance) -> Result<FloatingIp> {
    let refuse = |text: &str| Err(Error::invalid_request(text));
    if floating.project_id != instance.project_id {
        return refuse("floating IP must be in the same project as the instance");
    }
    match floating.instance_id {
        Some(id) if id == instance.meta.id => return Ok(floating),
        Some(_) => {
            return refuse("floating IP cannot be attached to one instance while still attached to another");
        }
        None => {}
    }
    allow(cx, instance, Change::Attach, "floating")?;
    check_family(cx, &floating, instance)?;
    floating.instance_id = Some(instance.meta.id);
    floating.meta.time_modified = cx.now;
    cx.tx.update(&mut floating)?;
    Ok(floating)
}

/// Refuses an address of a family that none of the instance's interfaces have. An instance without interfaces may get
/// one of that family later.
fn check_family(cx: &mut Cx<'_, '_>, floating: &FloatingIp, instance: &Instance) -> Result<()> {
    let family = Family::of(floating.ip);
    let interfaces = network_interface::all_of(cx, instance.meta.id)?;
    if interfaces.is_empty() || interfaces.iter().any(|interface| Family::of(interface.ip) == family) {
        return Ok(());
    }
    let (name, family, instance) = (&floating.name, family.label(), &instance.name);
    Err(Error::invalid_request(format!(
        "floating IP \"{name}\" is an {family} address, and no network interface of instance \"{instance}\" has one"
    )))
}

/// `floating_ip_detach`: succeeds if it is not attached.
pub fn detach(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    floating_ip: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::FloatingIp> {
    let floating = find(cx, caller, floating_ip, project)?;
    let mut floating = floating.authorize(cx, caller, &operation::FLOATING_IP_DETACH)?.into_inner();
    let Some(instance) = floating.instance_id else { return Ok(floating_to_view(&floating)) };
    let Some(instance) = cx.tx.get::<Instance>(instance)? else {
        return Err(Error::internal(format!("floating IP {} leads to no instance", floating.meta.id)));
    };
    allow(cx, &instance, Change::Detach, "floating")?;
    floating.instance_id = None;
    floating.meta.time_modified = cx.now;
    cx.tx.update(&mut floating)?;
    Ok(floating_to_view(&floating))
}
