//! Widgets.

use croft_api::{
    Error, ResourceKind, Result,
    page::{NameOrIdSortMode, PageQuery, ResultsPage},
    project::ProjectSelector,
    scalar::NameOrId,
    widget::{self as api, WidgetCreate},
};
use croft_store::{ListBy, records::Widget};
use uuid::Uuid;

use crate::{
    deletable::{self, Deletable},
    Caller, Cx, Declaration, LookupResult, Operation, Resource,
    authz::Kind,
    description::check_description,
    paging,
    project::{self, InProject},
};

crate::authz::kinds! {
    /// A widget.
    WIDGET = Row::in_project();
}

crate::authz::operations! {
    extensions {
        WIDGET_LIST = reads(Kind::PROJECT, Permission::List);
        WIDGET_CREATE = changes(Kind::PROJECT, Permission::Create, 201);
        WIDGET_VIEW = reads(Kind::WIDGET, Permission::Read);
        WIDGET_DELETE = changes(Kind::WIDGET, Permission::Modify, 204);
    }
}

impl Resource for Widget {
    const DECLARATION: Declaration = Declaration::in_project(Kind::WIDGET)
        .message(ResourceKind::Widget)
        .blocks_project(10)
        .deletable(Self::DELETABLE);
}

impl InProject for Widget {
    const REFUSALS: [&'static str; 2] = [
        "when providing widget as an ID, project should not be specified",
        "widget should either be an ID or project should be specified",
    ];
}

/// Largest widget, in millimeters.
const MAX_SIZE: u32 = 1000;

fn to_view(widget: &Widget) -> api::Widget {
    api::Widget {
        id: widget.meta.id,
        name: widget.name.clone(),
        description: widget.description.clone(),
        time_created: widget.meta.time_created,
        time_modified: widget.meta.time_modified,
        project_id: widget.project_id,
        size: widget.size,
    }
}

/// Looks a widget up: by id without a project, or by name within one.
fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    widget: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<LookupResult<Widget>> {
    project::find_inside(cx, caller, widget, project)
}

/// `widget_list`: the widgets of a project.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<ProjectSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::Widget>> {
    let project = project::find(cx, caller, &query.selector.project)?;
    let project = project.authorize(cx, caller, &operation::WIDGET_LIST)?;
    let widgets: Vec<Widget> = paging::page(cx.tx, ListBy::Parent(project.meta.id), query)?;
    Ok(query.results(widgets.iter().map(to_view).collect()))
}

/// `widget_create`.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    params: &WidgetCreate,
) -> Result<api::Widget> {
    let project = project::find(cx, caller, project)?.authorize(cx, caller, &operation::WIDGET_CREATE)?;
    check_description(&params.identity.description)?;
    if params.size > MAX_SIZE {
        return Err(Error::invalid_value("size", format!("must be no larger than {MAX_SIZE} mm")));
    }
    let widget = Widget {
        meta: cx.new_meta(),
        silo_id: project.silo_id,
        project_id: project.meta.id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        size: params.size,
    };
    cx.insert_named(ResourceKind::Widget, &widget)?;
    Ok(to_view(&widget))
}

/// `widget_view`.
pub fn view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    widget: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<api::Widget> {
    let widget = find(cx, caller, widget, project)?.authorize(cx, caller, &operation::WIDGET_VIEW)?;
    Ok(to_view(&widget))
}

/// `widget_delete`.
pub fn delete(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    widget: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<()> {
    let widget = find(cx, caller, widget, project)?.authorize(cx, caller, &operation::WIDGET_DELETE)?;
    deletable::require(cx, caller, &*widget)?;
    Ok(cx.tx.delete(&mut widget.into_inner(), cx.now)?)
}

impl Deletable for Widget {
    const DELETION: Operation = operation::WIDGET_DELETE;
    const PATH: &'static str = "/experimental/v1/widgets/";

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        delete(cx, caller, &NameOrId::Id(id), None)
    }
}
