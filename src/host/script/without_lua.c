/* Scripts, in a build without Lua. */
#include "script/script.h"

static int without_lua(struct dj_error *err)
{
    return dj_error_set(
        err, DJ_E_UNSUPPORTED,
        "this build has no Lua 5.4, which runs scripts; run: make deps && "
        "rm -r build && make");
}

int dj_script_run(const struct dj_script_options *options,
                  struct dj_script_outcome *outcome, struct dj_error *err)
{
    (void)options;
    (void)outcome;
    return without_lua(err);
}

int dj_script_driver(const struct dj_script_options *options, struct dj_driver *driver,
                     struct dj_error *err)
{
    (void)options;
    *driver = (struct dj_driver){.self = NULL};
    return without_lua(err);
}

void dj_script_driver_finish(struct dj_driver *driver)
{
    (void)driver;
}
