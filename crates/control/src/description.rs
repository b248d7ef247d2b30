//! Descriptions that people give to what they make.

use croft_api::{Error, Result, scalar::Description};

/// Refuses a description that is too long to be stored.
pub(crate) fn check_description(description: &Description) -> Result<()> {
    description.check().map_err(|error| Error::invalid_value("description", error))
}
