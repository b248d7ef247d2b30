use croft_api::{
    Result,
    alert::{self as api, AlertClassSelector, AlertClassSortMode},
    page::{PageQuery, ResultsPage},
};

use crate::{
    Caller, Cx,
    alert::{AlertClass, operation},
    authz::{self, Kind, ResourceScope},
    paging,
};

/// `alert_class_list`: the classes that match the filter, including the class of probes.
pub fn class_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<AlertClassSelector, AlertClassSortMode>,
) -> Result<ResultsPage<api::AlertClass>> {
    let place = ResourceScope::fleet(Kind::ALERT_CLASS_LIST);
    authz::require(cx, caller, &place, &operation::ALERT_CLASS_LIST)?;
    let filter = query.selector.filter.as_ref();
    let classes = cx.environment.alert_classes.iter();
    let meant = classes.filter(|class| filter.is_none_or(|filter| filter.matches(class.name)));
    let view = |class: &AlertClass| api::AlertClass {
        name: class.name.to_owned(),
        description: class.description.to_owned(),
    };
    Ok(paging::page_of(meant.map(view).collect(), query))
}
