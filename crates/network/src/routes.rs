use std::{cmp::Reverse, iter, ops::Deref, sync::Arc};

use croft_api::router::VpcRouterKind;

use crate::Route;

/// The routes of one router in the order in which they apply. Clones share the same memory, so the routes of a router
/// are stored once for all its subnets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes(Arc<[Route]>);

impl FromIterator<Route> for Routes {
    fn from_iter<T: IntoIterator<Item = Route>>(routes: T) -> Self {
        let mut routes: Vec<Route> = routes.into_iter().collect();
        routes.sort_by(|one, other| one.precedence().cmp(&other.precedence()));
        Self(routes.into())
    }
}

impl Deref for Routes {
    type Target = [Route];

    fn deref(&self) -> &[Route] {
        &self.0
    }
}

impl Routes {
    /// Whether both share the same memory.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Identifies routes that share the same memory, while they exist.
    pub(crate) fn identity(&self) -> *const Route {
        self.0.as_ptr()
    }

    /// The routes of two routers in the order in which they apply together.
    pub(crate) fn merged_with<'r>(&'r self, other: &'r Self) -> impl Iterator<Item = &'r Route> {
        let (mut own, mut others) = (self.iter().peekable(), other.iter().peekable());
        iter::from_fn(move || match (own.peek(), others.peek()) {
            (Some(first), Some(second)) if second.precedence() < first.precedence() => others.next(),
            (Some(_), _) => own.next(),
            (None, _) => others.next(),
        })
    }
}

impl Route {
    /// The order of routes: the narrowest destination first, then those of the custom router.
    fn precedence(&self) -> impl Ord + '_ {
        (
            Reverse(self.destination.width()),
            self.router_kind == VpcRouterKind::System,
            &self.name,
            self.destination,
            self.id,
        )
    }
}
