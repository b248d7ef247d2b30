//! Sign-in through a SAML identity provider (`docs/rules/identity-and-system.md#saml`).
//!
//! [`begin`] redirects the browser to the provider with a request. It writes nothing: the id of the request
//! is sealed with the server's key, so it authenticates itself, and it contains a hash of a secret that only the
//! browser has. For the response, [`Verifier`] reads what is needed to check it. The check verifies signatures, which
//! is slow, and runs without the database. Then [`complete`] marks the response as used, updates user and groups, and
//! opens the session, in one transaction.

mod answer;
mod change;
mod key_pair;
mod provider;
mod relay;
mod request;
mod subject;
mod uses;

pub use answer::{Checked, Form, SignedIn, Verifier, complete, refused, verifier};
pub use change::{delete, may_update, settings, update};
pub use key_pair::check_key_pair;
pub use provider::{create, may_create, view};
pub use request::{NewRequest, REQUEST_LIFE, begin};
pub use subject::introduce;
pub(crate) use uses::purge;

use croft_api::ResourceKind;
use croft_store::records::{SamlIdentityProvider, SamlSignIn, SamlUse};

use crate::{Declaration, ReadScope, Resource, SiloDeletion, authz::Kind, cascade};

crate::authz::operations! {
    contract {
        LOGIN_SAML = open_changes(Kind::SILO, 303);
        SAML_IDENTITY_PROVIDER_CREATE = changes(Kind::PROVIDER_LIST, Permission::Create, 201);
        SAML_IDENTITY_PROVIDER_VIEW = reads(Kind::IDENTITY_PROVIDER, Permission::Read);
    }
    extensions {
        SAML_IDENTITY_PROVIDER_SETTINGS_VIEW = reads(Kind::IDENTITY_PROVIDER, Permission::Read);
        SAML_IDENTITY_PROVIDER_UPDATE = changes(Kind::IDENTITY_PROVIDER, Permission::Modify, 200);
        SAML_IDENTITY_PROVIDER_DELETE = changes(Kind::IDENTITY_PROVIDER, Permission::Modify, 204);
    }
}

impl Resource for SamlIdentityProvider {
    const DECLARATION: Declaration = Declaration::new(
        ReadScope::Silo(Kind::IDENTITY_PROVIDER),
        SiloDeletion::Goes(cascade::with_silo::<Self>),
    )
    .message(ResourceKind::SamlIdentityProvider);
}

impl Resource for SamlUse {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_silo::<Self>));
}

impl Resource for SamlSignIn {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_silo::<Self>));
}
