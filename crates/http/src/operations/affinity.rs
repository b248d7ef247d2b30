//! Affinity and anti-affinity groups, whose operations differ only in their names.

use axum::response::Response;
use croft_api::{
    affinity::{
        AffinityGroup, AffinityGroupCreate, AffinityGroupMember, AffinityGroupMemberPath, AffinityGroupPath,
        AffinityGroupUpdate, AntiAffinityGroup, AntiAffinityGroupCreate, AntiAffinityGroupMember,
        AntiAffinityGroupMemberPath, AntiAffinityGroupPath, AntiAffinityGroupUpdate,
    },
    instance::InstancePath,
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::affinity::{self, Affinity, AntiAffinity};

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    affinity_router().merge(anti_affinity_router())
}

/// Defines the handlers of one kind of groups, and their router. The parameters are, for each path, its tag, and the
/// handlers of its methods with their descriptions.
macro_rules! handlers {
    (
        $router:ident: $kind:ident;
        $group:ident, $group_create:ident, $group_update:ident, $group_member:ident;
        $group_path:ident, $member_path:ident, $selector:ident;

        $groups_at:literal, $groups_tag:literal =>
            $(#[$list_doc:meta])* $list:ident,
            $(#[$create_doc:meta])* $create:ident;

        $group_at:literal, $group_tag:literal =>
            $(#[$view_doc:meta])* $view:ident,
            $(#[$update_doc:meta])* $update:ident,
            $(#[$delete_doc:meta])* $delete:ident;

        $members_at:literal, $members_tag:literal =>
            $(#[$member_list_doc:meta])* $member_list:ident;

        $member_at:literal, $member_tag:literal =>
            $(#[$member_view_doc:meta])* $member_view:ident,
            $(#[$member_add_doc:meta])* $member_add:ident,
            $(#[$member_delete_doc:meta])* $member_delete:ident;

        $of_instance_at:literal, $of_instance_tag:literal =>
            $(#[$of_instance_doc:meta])* $of_instance:ident;
    ) => {
        fn $router() -> OpenApiRouter {
            OpenApiRouter::new()
                .routes(routes!($list, $create))
                .routes(routes!($view, $update, $delete))
                .routes(routes!($member_list))
                .routes(routes!($member_view, $member_add, $member_delete))
                .routes(routes!($of_instance))
        }

        $(#[$list_doc])*
        #[utoipa::path(get, path = $groups_at, tag = $groups_tag,
            params(NamedPage, OptionalProjectSelector),
            responses((status = 200, body = ResultsPage<$group>)),
            extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
        async fn $list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
            call.read(move |cx, caller| affinity::list::<$kind>(cx, caller, &page)).await.map(reply::ok)
        }

        $(#[$create_doc])*
        #[utoipa::path(post, path = $groups_at, tag = $groups_tag, params(ProjectSelector),
            request_body = $group_create, responses((status = 201, body = $group)))]
        async fn $create(
            call: Call,
            Query(selector): Query<ProjectSelector>,
            Json(params): Json<$group_create>,
        ) -> Result<Response> {
            call.write(move |cx, caller| affinity::create::<$kind>(cx, caller, &selector.project, &params))
                .await
                .map(reply::created)
        }

        $(#[$view_doc])*
        #[utoipa::path(get, path = $group_at, tag = $group_tag, params(OptionalProjectSelector, $group_path),
            responses((status = 200, body = $group)))]
        async fn $view(
            call: Call,
            Path(path): Path<$group_path>,
            Query(selector): Query<OptionalProjectSelector>,
        ) -> Result<Response> {
            call.read(move |cx, caller| {
                affinity::view::<$kind>(cx, caller, &path.$selector, selector.project.as_ref())
            })
            .await
            .map(reply::ok)
        }

        $(#[$update_doc])*
        #[utoipa::path(put, path = $group_at, tag = $group_tag, params(OptionalProjectSelector, $group_path),
            request_body = $group_update, responses((status = 200, body = $group)))]
        async fn $update(
            call: Call,
            Path(path): Path<$group_path>,
            Query(selector): Query<OptionalProjectSelector>,
            Json(params): Json<$group_update>,
        ) -> Result<Response> {
            call.write(move |cx, caller| {
                affinity::update::<$kind>(cx, caller, &path.$selector, selector.project.as_ref(), &params)
            })
            .await
            .map(reply::ok)
        }

        $(#[$delete_doc])*
        #[utoipa::path(delete, path = $group_at, tag = $group_tag,
            params(OptionalProjectSelector, $group_path), responses((status = 204)))]
        async fn $delete(
            call: Call,
            Path(path): Path<$group_path>,
            Query(selector): Query<OptionalProjectSelector>,
        ) -> Result<Response> {
            call.write(move |cx, caller| {
                affinity::delete::<$kind>(cx, caller, &path.$selector, selector.project.as_ref())
            })
            .await
            .map(reply::no_content)
        }

        $(#[$member_list_doc])*
        #[utoipa::path(get, path = $members_at, tag = $members_tag,
            params(NamedPage, OptionalProjectSelector, $group_path),
            responses((status = 200, body = ResultsPage<$group_member>)),
            extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
        async fn $member_list(
            call: Call,
            Path(path): Path<$group_path>,
            Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
        ) -> Result<Response> {
            call.read(move |cx, caller| affinity::member_list::<$kind>(cx, caller, &path.$selector, &page))
                .await
                .map(reply::ok)
        }

        $(#[$member_view_doc])*
        #[utoipa::path(get, path = $member_at, tag = $member_tag,
            params(OptionalProjectSelector, $member_path),
            responses((status = 200, body = $group_member)))]
        async fn $member_view(
            call: Call,
            Path(path): Path<$member_path>,
            Query(selector): Query<OptionalProjectSelector>,
        ) -> Result<Response> {
            call.read(move |cx, caller| {
                let (group, project) = (&path.$selector, selector.project.as_ref());
                affinity::member_view::<$kind>(cx, caller, group, &path.instance, project)
            })
            .await
            .map(reply::ok)
        }

        $(#[$member_add_doc])*
        #[utoipa::path(post, path = $member_at, tag = $member_tag,
            params(OptionalProjectSelector, $member_path),
            responses((status = 201, body = $group_member)))]
        async fn $member_add(
            call: Call,
            Path(path): Path<$member_path>,
            Query(selector): Query<OptionalProjectSelector>,
        ) -> Result<Response> {
            call.write(move |cx, caller| {
                let (group, project) = (&path.$selector, selector.project.as_ref());
                affinity::member_add::<$kind>(cx, caller, group, &path.instance, project)
            })
            .await
            .map(reply::created)
        }

        $(#[$member_delete_doc])*
        #[utoipa::path(delete, path = $member_at, tag = $member_tag,
            params(OptionalProjectSelector, $member_path), responses((status = 204)))]
        async fn $member_delete(
            call: Call,
            Path(path): Path<$member_path>,
            Query(selector): Query<OptionalProjectSelector>,
        ) -> Result<Response> {
            call.write(move |cx, caller| {
                let (group, project) = (&path.$selector, selector.project.as_ref());
                affinity::member_delete::<$kind>(cx, caller, group, &path.instance, project)
            })
            .await
            .map(reply::no_content)
        }

        $(#[$of_instance_doc])*
        #[utoipa::path(get, path = $of_instance_at, tag = $of_instance_tag,
            params(NamedPage, OptionalProjectSelector, InstancePath),
            responses((status = 200, body = ResultsPage<$group>)),
            extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
        async fn $of_instance(
            call: Call,
            Path(path): Path<InstancePath>,
            Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
        ) -> Result<Response> {
            call.read(move |cx, caller| affinity::of_instance::<$kind>(cx, caller, &path.instance, &page))
                .await
                .map(reply::ok)
        }
    };
}

handlers! {
    affinity_router: Affinity;
    AffinityGroup, AffinityGroupCreate, AffinityGroupUpdate, AffinityGroupMember;
    AffinityGroupPath, AffinityGroupMemberPath, affinity_group;

    "/v1/affinity-groups", "experimental" =>
        /// List affinity groups
        affinity_group_list,
        /// Create an affinity group
        ///
        /// Its policy decides what becomes of a member for which there is no room on the sled of the others.
        affinity_group_create;

    "/v1/affinity-groups/{affinity_group}", "experimental" =>
        /// View an affinity group
        affinity_group_view,
        /// Update an affinity group
        affinity_group_update,
        /// Delete an affinity group
        ///
        /// Its members stay where they are.
        affinity_group_delete;

    "/v1/affinity-groups/{affinity_group}/members", "experimental" =>
        /// List the members of an affinity group
        affinity_group_member_list;

    "/v1/affinity-groups/{affinity_group}/members/instance/{instance}", "experimental" =>
        /// View a member of an affinity group
        affinity_group_member_instance_view,
        /// Add an instance to an affinity group
        ///
        /// The instance must be stopped or failed.
        affinity_group_member_instance_add,
        /// Remove an instance from an affinity group
        ///
        /// It stays where it is.
        affinity_group_member_instance_delete;

    "/v1/instances/{instance}/affinity-groups", "experimental" =>
        /// List the affinity groups of an instance
        instance_affinity_group_list;
}

handlers! {
    anti_affinity_router: AntiAffinity;
    AntiAffinityGroup, AntiAffinityGroupCreate, AntiAffinityGroupUpdate, AntiAffinityGroupMember;
    AntiAffinityGroupPath, AntiAffinityGroupMemberPath, anti_affinity_group;

    "/v1/anti-affinity-groups", "affinity" =>
        /// List anti-affinity groups
        anti_affinity_group_list,
        /// Create an anti-affinity group
        ///
        /// Its policy decides what becomes of a member for which there is no sled without another member.
        anti_affinity_group_create;

    "/v1/anti-affinity-groups/{anti_affinity_group}", "affinity" =>
        /// View an anti-affinity group
        anti_affinity_group_view,
        /// Update an anti-affinity group
        anti_affinity_group_update,
        /// Delete an anti-affinity group
        ///
        /// Its members stay where they are.
        anti_affinity_group_delete;

    "/v1/anti-affinity-groups/{anti_affinity_group}/members", "affinity" =>
        /// List the members of an anti-affinity group
        anti_affinity_group_member_list;

    "/v1/anti-affinity-groups/{anti_affinity_group}/members/instance/{instance}", "affinity" =>
        /// View a member of an anti-affinity group
        anti_affinity_group_member_instance_view,
        /// Add an instance to an anti-affinity group
        ///
        /// The instance must be stopped or failed.
        anti_affinity_group_member_instance_add,
        /// Remove an instance from an anti-affinity group
        ///
        /// It stays where it is.
        anti_affinity_group_member_instance_delete;

    "/v1/instances/{instance}/anti-affinity-groups", "instances" =>
        /// List the anti-affinity groups of an instance
        instance_anti_affinity_group_list;
}
