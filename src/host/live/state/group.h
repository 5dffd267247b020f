/* Functions that group.c and device_apps.c share. */
#ifndef DEJANK_LIVE_STATE_GROUP_H
#define DEJANK_LIVE_STATE_GROUP_H

#include "live/apps.h"

/* Returns the view of a process that has not ended, or NULL. */
struct dj_live *dj_live_group_find(const struct dj_live_group *group, int64_t pid);

/* Adds a view, which the group owns afterwards, even after an error. */
int dj_live_group_add(struct dj_live_group *group, struct dj_live *view,
                      struct dj_error *err);

/* Lists the apps of the group's device. Adds views for new apps, and updates which apps
 * are idle. */
int dj_live_group_list_device(struct dj_live_group *group, struct dj_error *err);

/* Reads an app of the group's device, unless it is idle. */
int dj_live_update_unless_idle(struct dj_live *view, struct dj_error *err);

#endif
