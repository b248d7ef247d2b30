//! Names and descriptions that people give to what they make.

use croft_api::{
    Error, Result,
    identity::IdentityUpdate,
    scalar::{Description, Name},
};

/// Refuses a description that is too long to be stored.
pub(crate) fn check_description(description: &Description) -> Result<()> {
    description.check().map_err(|error| Error::invalid_value("description", error))
}

/// Changes the name and the description of a record as somebody asks for: what is absent stays.
pub(crate) fn change_identity(
    name: &mut Name,
    description: &mut Description,
    changes: &IdentityUpdate,
) -> Result<()> {
    if let Some(new) = &changes.description {
        check_description(new)?;
        *description = new.clone();
    }
    if let Some(new) = &changes.name {
        *name = new.clone();
    }
    Ok(())
}
