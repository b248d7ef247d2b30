//! Names and descriptions of resources.

use croft_api::{
    Error, Result,
    identity::IdentityUpdate,
    scalar::{Description, Name},
};

/// Refuses a description that is too long to be stored.
pub(crate) fn check_description(description: &Description) -> Result<()> {
    description.check().map_err(|error| Error::invalid_value("description", error))
}

/// Updates the name and the description of a record. Absent fields are unchanged.
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
