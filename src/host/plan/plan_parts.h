/* What the files of the plan's reader share. Private to this module. */
#ifndef DEJANK_PLAN_PLAN_PARTS_H
#define DEJANK_PLAN_PLAN_PARTS_H

#include "plan/fields.h"
#include "plan/plan.h"

/* The keys of a class, in a device's map; `map` itself may be "class: NAME" alone, which
 * then is one that everybody knows. Values of other keys are left alone. */
void dj_plan_read_class(const struct dj_tree_node *map, const struct dj_tree_node *name,
                        struct dj_device_class *class, struct dj_plan_faults *faults);

/* Each reads one part of the plan's map. */
void dj_plan_read_devices(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_flows(const struct dj_tree_node *list, struct dj_plan *plan);
void dj_plan_read_builds(const struct dj_tree_node *list, struct dj_plan *plan);
/* Behind the devices, of which it is. */
void dj_plan_read_trace(const struct dj_tree_node *node, struct dj_plan *plan);
void dj_plan_read_gate(const struct dj_tree_node *map, struct dj_plan_gate *gate,
                       struct dj_plan_faults *faults);
void dj_plan_read_objectives(const struct dj_tree_node *list, struct dj_plan *plan);

/* Appends the objectives as JSON, with what they refer to; nothing where the plan has
 * neither objectives nor priorities. */
void dj_plan_write_objectives(const struct dj_plan *plan, struct dj_text *json);

/* A list of 1 … most items; else told, and 0. */
size_t dj_plan_list(const struct dj_tree_node *node, const char *what, size_t most,
                    struct dj_plan_faults *faults);

/* How many devices are this machine. */
size_t dj_plan_count_local(const struct dj_plan *plan);

/* "high", "normal", "low"; else told. */
void dj_plan_check_priority(const struct dj_tree_node *map, const char *priority,
                            struct dj_plan_faults *faults);

/* Memory that the plan frees when it is finished; returns it. */
void *dj_plan_keep(struct dj_plan *plan, void *owned);
/* A path as seen from the plan's folder, for as long as the plan lives. NULL of NULL. */
const char *dj_plan_path(struct dj_plan *plan, const char *path);

#endif
