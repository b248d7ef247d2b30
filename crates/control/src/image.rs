//! Images (`docs/rules/compute-and-storage.md#images`).

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    deletion::DeletionEffect,
    image::{self as api, ImageCreate, ImageSource},
    list::{FoundPage, ListQuery},
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, StoreError,
    records::{Disk, DiskContent, Image, Project},
};
use uuid::Uuid;

use crate::{
    Authorized, Caller, Cx, Declaration, LookupResult, Operation, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, Permission, ResourceScope},
    deletable::{self, Deletable},
    dependents::Dependents,
    description::check_description,
    listing::{self, Within},
    paging, project, snapshot,
};

crate::authz::kinds! {
    /// An image of a project.
    IMAGE = Row::in_project();
    /// An image of a silo rather than of one of its projects.
    SILO_IMAGE = Row::in_silo().silo(["r", "rm", "rm"]);
}

crate::authz::operations! {
    contract {
        IMAGE_LIST = reads(Kind::SILO, Permission::List);
        IMAGE_CREATE = changes(Kind::SILO, Permission::Create, 201);
        IMAGE_VIEW = reads(Kind::IMAGE, Permission::Read);
        IMAGE_DELETE = changes(Kind::IMAGE, Permission::Modify, 204);
        IMAGE_PROMOTE = changes(Kind::IMAGE, Permission::Modify, 202);
        IMAGE_DEMOTE = changes(Kind::SILO_IMAGE, Permission::Modify, 202);
    }
    extensions {
        IMAGE_SEARCH = reads(Kind::SILO, Permission::List);
        PROJECT_SILO_IMAGE_LIST = reads(Kind::PROJECT, Permission::Read);
    }
}

impl Resource for Image {
    // Images of projects are deleted with their projects.
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::Image, SiloDeletion::Goes(|cx, owners| remove_of_silo(cx, owners.silo)))
            .message(ResourceKind::Image)
            .blocks_project_as(ResourceKind::ProjectImage, 4)
            .deletable(Self::DELETABLE);
}

/// Maximum length of the name and version of an operating system, in characters.
const MAX_OS_LENGTH: usize = 64;

fn to_view(image: &Image) -> api::Image {
    api::Image {
        id: image.meta.id,
        name: image.name.clone(),
        description: image.description.clone(),
        time_created: image.meta.time_created,
        time_modified: image.meta.time_modified,
        project_id: image.project_id,
        os: image.os.clone(),
        version: image.version.clone(),
        digest: None,
        block_size: image.block_size.byte_count(),
        size: image.size,
    }
}

/// Looks an image up: by id without a project, by name within a project, or by name alone among the silo's.
pub fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    image: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Image>> {
    let (parent, kind, name) = match (image, project) {
        (NameOrId::Id(id), None) => return Ok(LookupResult::new(cx.tx.get(*id)?, *id)),
        (NameOrId::Id(_), Some(_)) => {
            return Err(Error::invalid_request(
                "when providing image as an ID, project should not be specified",
            ));
        }
        (NameOrId::Name(name), Some(project)) => {
            (project::enter(cx, caller, project)?.meta.id, "project-image", name)
        }
        (NameOrId::Name(name), None) => (caller.silo_id, "silo-image", name),
    };
    let lookup = Lookup::Other(format!("{kind} with name \"{name}\""));
    Ok(LookupResult::new(cx.tx.get_by_name(parent, name.as_str())?, lookup))
}

/// `image_list`: the images of a project, or those of the caller's silo; never both.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Image>> {
    let parent = parent(cx, caller, query.selector.project.as_ref(), &operation::IMAGE_LIST)?
        .unwrap_or(caller.silo_id);
    let images: Vec<Image> = paging::page(cx.tx, ListBy::Parent(parent), query)?;
    Ok(query.results(images.iter().map(to_view).collect()))
}

/// `project_silo_image_list`: the images of the silo, as sources for disks of a project. Whoever may read the project
/// may see them, without a role on the silo.
pub fn list_for_project(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Image>> {
    let project = project::find(cx, caller, &query.selector.project)?.authorize(
        cx,
        caller,
        &operation::PROJECT_SILO_IMAGE_LIST,
    )?;
    let images: Vec<Image> = paging::page(cx.tx, ListBy::Parent(project.silo_id), query)?;
    Ok(query.results(images.iter().map(to_view).collect()))
}

/// The image that a disk of a project is created from. Images of the silo are available to all of its projects
/// (`docs/rules/compute-and-storage.md#images`), so the right to create disks in the project suffices; any other image
/// must be readable, and of this project.
pub(crate) fn source(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &Authorized<Project>,
    id: Uuid,
) -> Result<Image> {
    let image = cx.tx.get::<Image>(id)?;
    if let Some(image) = &image
        && image.project_id.is_none()
        && image.silo_id == project.silo_id
    {
        return Ok(image.clone());
    }
    let image = LookupResult::new(image, id).authorize(cx, caller, Permission::Read)?;
    if image.project_id.is_some_and(|own| own != project.meta.id) {
        return Err(Error::invalid_request("image does not belong to this project"));
    }
    Ok(image.into_inner())
}

/// `image_create`: in a project, or in the caller's silo. It charges no quota: the image shares the volume of its
/// snapshot, which exists and is charged until both are deleted.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: Option<&NameOrId>,
    params: &ImageCreate,
) -> Result<api::Image> {
    let project_id = if let Some(project) = project {
        let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::IMAGE_CREATE)?;
        Some(project.meta.id)
    } else {
        authz::require(
            cx,
            caller,
            &ResourceScope::silo(Kind::SILO, caller.silo_id),
            &operation::IMAGE_CREATE,
        )?;
        None
    };
    check_texts(params)?;
    let ImageSource::Snapshot { id } = params.source;
    let source = snapshot::source(cx, caller, id)?;
    if project_id.is_some_and(|project| project != source.project_id) {
        return Err(Error::invalid_request("snapshot does not belong to this project"));
    }
    let image = Image {
        meta: cx.new_meta(),
        silo_id: source.silo_id,
        project_id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        os: params.os.clone(),
        version: params.version.clone(),
        size: source.size,
        block_size: source.block_size,
        volume_id: source.meta.id,
    };
    // The contract uses this word for images of the silo, too.
    cx.insert_named(ResourceKind::ProjectImage, &image)?;
    Ok(to_view(&image))
}

fn check_texts(params: &ImageCreate) -> Result<()> {
    check_description(&params.identity.description)?;
    for (label, text) in [("os", &params.os), ("version", &params.version)] {
        if text.chars().count() > MAX_OS_LENGTH {
            return Err(Error::invalid_value(
                label,
                format!("must be no longer than {MAX_OS_LENGTH} characters"),
            ));
        }
    }
    Ok(())
}

/// `image_search`: the images of a project or of the silo that are searched for.
pub fn search(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &ListQuery<OptionalProjectSelector>,
) -> Result<FoundPage<api::Image>> {
    let project = query.selector.of.project.as_ref();
    let within = match parent(cx, caller, project, &operation::IMAGE_SEARCH)? {
        Some(project) => Within::project(project),
        None => Within::silo(caller.silo_id),
    };
    let found = listing::find::<Image, _>(cx, within, query, None)?;
    Ok(found.page(query, to_view))
}

/// The project whose images are listed, if one is named, or else none for the caller's silo, once the caller may list them.
fn parent(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: Option<&NameOrId>,
    operation: &Operation,
) -> Result<Option<Uuid>> {
    if let Some(project) = project {
        return Ok(Some(project::find(cx, caller, project)?.authorize(cx, caller, operation)?.meta.id));
    }
    authz::require(cx, caller, &ResourceScope::silo(Kind::SILO, caller.silo_id), operation)?;
    Ok(None)
}

/// `image_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    image: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Image> {
    let image = find(cx, caller, image, project)?.authorize(cx, caller, &operation::IMAGE_VIEW)?;
    Ok(to_view(&image))
}

/// `image_delete`: at any time, because disks have their own copy. Returns the id of the image's volume, which may have
/// to be freed ([`snapshot::freeing`]).
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    image: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<Uuid> {
    let mut image =
        find(cx, caller, image, project)?.authorize(cx, caller, &operation::IMAGE_DELETE)?.into_inner();
    deletable::require(cx, caller, &image)?;
    cx.tx.delete(&mut image, cx.now)?;
    snapshot::release_volume(cx, image.volume_id)?;
    Ok(image.volume_id)
}

impl Deletable for Image {
    const DELETION: Operation = operation::IMAGE_DELETE;
    const PATH: &'static str = "/v1/images/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None).map(drop)
    }

    // Disks of all projects may be made from an image of the silo, and nothing finds them.
    fn kept(&self, cx: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let Some(project) = self.project_id else { return Ok(Vec::new()) };
        let (by, own) = (ListBy::Parent(project), self.meta.id);
        let fits = |disk: &Disk| disk.content == DiskContent::Image(own);
        Ok(vec![Dependents::scanned(DeletionEffect::Kept, cx.tx, &by, fits)?])
    }
}

/// Removes the images of a silo that is being deleted. Those of its projects are removed with the projects.
pub(crate) fn remove_of_silo(cx: &mut Cx<'_, '_>, silo: Uuid) -> Result<()> {
    for image in paging::all::<Image>(cx.tx, &ListBy::Parent(silo))? {
        cx.tx.remove::<Image>(image.meta.id, cx.now)?;
        snapshot::release_volume(cx, image.volume_id)?;
    }
    Ok(())
}

/// `image_promote`: moves a project's image to the silo.
pub fn promote(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    image: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Image> {
    let image = find(cx, caller, image, project)?.authorize(cx, caller, &operation::IMAGE_PROMOTE)?;
    if image.project_id.is_none() {
        return Err(Error::invalid_request("Cannot promote a silo image"));
    }
    let silo = ResourceScope::silo(Kind::SILO, image.silo_id);
    if !authz::permits(cx, caller, &silo, Permission::Create)? {
        return Err(Error::Forbidden);
    }
    move_to(cx, image, None)
}

/// `image_demote`: moves an image of the silo to one project.
pub fn demote(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    image: &NameOrId,
    project: &NameOrId,
) -> Result<api::Image> {
    let image = find(cx, caller, image, None)?.authorize(cx, caller, &operation::IMAGE_DEMOTE)?;
    let project = project::find(cx, caller, project)?.authorize(cx, caller, Permission::Create)?;
    if image.project_id.is_some() {
        return Err(Error::invalid_request("Cannot demote a project image"));
    }
    move_to(cx, image, Some(project.meta.id))
}

fn move_to(cx: &mut Cx<'_, '_>, image: Authorized<Image>, project: Option<Uuid>) -> Result<api::Image> {
    let mut image = image.into_inner();
    cx.tx.announce(&image, cx.now)?;
    image.project_id = project;
    image.meta.time_modified = cx.now;
    match cx.tx.update(&mut image) {
        Err(StoreError::Exists) => {
            let kind = if project.is_some() { ResourceKind::ProjectImage } else { ResourceKind::SiloImage };
            Err(Error::exists(kind, &image.name))
        }
        result => Ok(result.map(|()| to_view(&image))?),
    }
}
