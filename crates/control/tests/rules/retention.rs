use croft_store::records::{Project, Resources, Silo, Usage};
use jiff::SignedDuration;

use crate::kit::Cloud;

#[test]
fn old_deleted_records_are_erased_except_audited_users() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let silo = cloud.silo("gone", Resources::default());
    cloud.remove_project("web");
    cloud
        .rule(move |cx| {
            cx.tx.remove::<Usage>(silo, cx.now)?;
            let mut silo: Silo = cx.tx.get(silo)?.expect("the silo exists");
            Ok(cx.tx.delete(&mut silo, cx.now)?)
        })
        .unwrap();
    let mut kept_after = |days: i64| {
        cloud.now += SignedDuration::from_hours(24 * days);
        cloud.settle();
        cloud
            .rule(move |cx| {
                let project: Option<Project> = cx.tx.get_any(project)?;
                let silo: Option<Silo> = cx.tx.get_any(silo)?;
                Ok((project.is_some(), silo.is_some()))
            })
            .unwrap()
    };
    assert_eq!(kept_after(30), (true, true));
    assert_eq!(kept_after(1), (false, true));
}
