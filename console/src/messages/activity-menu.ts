/** What menus and tabs say of the activity of resources. Everything else about it is in `resource-activity`. */

export const activityLabel = 'Activity'
