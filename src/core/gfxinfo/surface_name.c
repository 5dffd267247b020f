#include <string.h>

#include "gfxinfo/scan.h"
#include "gfxinfo/surface.h"

/* Names of one activity in several releases:
 *
 *   SurfaceView - com.x/com.x.Main#0                     up to Android 11
 *   56d18fd SurfaceView[com.x/com.x.Main](BLAST)#132     since Android 12
 *   ActivityRecord{a6723a9 u0 com.x/.Main t7 d0}#65
 *   com.x/com.x.Main$Inner#0
 */

static bool is_name_character(char c)
{
    return dj_scan_is_letter(c) || dj_gfxinfo_is_digit(c) || c == '_' || c == '.';
}

/* Returns whether the text is a name with at least one dot, such as "com.x". */
static bool is_dotted(struct dj_str name)
{
    return name.length > 2 && dj_scan_is_letter(name.at[0]) &&
           name.at[name.length - 1] != '.' && memchr(name.at, '.', name.length) != NULL &&
           memmem(name.at, name.length, "..", 2) == NULL;
}

/* Finds the first "PACKAGE/CLASS". Returns the package, and sets *class to the text after
 * the slash. Returns an empty text if there is none. */
static struct dj_str find_component(struct dj_str layer, struct dj_str *class)
{
    const char *end = layer.at + layer.length;
    const char *slash = layer.length > 0 ? memchr(layer.at, '/', layer.length) : NULL;
    while (slash != NULL) {
        const char *first = slash;
        while (first > layer.at && is_name_character(first[-1])) {
            first--;
        }
        struct dj_str package = dj_str_between(first, slash);
        bool named = slash + 1 < end &&
                     (dj_scan_is_letter(slash[1]) || slash[1] == '.' || slash[1] == '_');
        if (named && is_dotted(package)) {
            *class = dj_str_between(slash + 1, end);
            return package;
        }
        slash =
            slash + 1 < end ? memchr(slash + 1, '/', (size_t)(end - slash - 1)) : NULL;
    }
    return (struct dj_str){layer.at, 0};
}

/* Returns the name without its number, such as "#12". */
static struct dj_str remove_number(struct dj_str layer)
{
    struct dj_str name = dj_gfxinfo_surface_find_list_name(layer);
    while (name.length > 0 && name.at[name.length - 1] != '#') {
        name.length--;
    }
    name.length -= name.length > 0;
    return name.length > 0 ? name : layer;
}

/* Returns the package of a class: "com.x" of "com.x.Main". */
static struct dj_str find_package_of_class(struct dj_str class)
{
    for (size_t i = 1; i < class.length; i++) {
        if (class.at[i - 1] == '.' && class.at[i] >= 'A' && class.at[i] <= 'Z') {
            class.length = i - 1;
        }
    }
    return is_dotted(class) ? class : (struct dj_str)
    {
        class.at, 0
    };
}

struct dj_str dj_gfxinfo_surface_find_package(struct dj_str layer)
{
    struct dj_str class;
    struct dj_str package = find_component(layer, &class);
    if (package.length > 0) {
        return package;
    }
    struct dj_str name = remove_number(layer);
    (void)dj_scan_word(&name, "Splash Screen ");
    for (size_t i = 0; i < name.length; i++) {
        if (!is_name_character(name.at[i])) {
            return (struct dj_str){name.at, 0};
        }
    }
    return is_dotted(name) ? find_package_of_class(name) : (struct dj_str){name.at, 0};
}

bool dj_gfxinfo_surface_has_activity(struct dj_str layer)
{
    struct dj_str class = {0};
    if (find_component(layer, &class).length == 0) {
        return false;
    }
    size_t length = 0;
    bool dot = false;
    while (length < class.length &&
           (is_name_character(class.at[length]) || class.at[length] == '$')) {
        dot = dot || class.at[length] == '.';
        length++;
    }
    return dot && length < class.length && class.at[length] != '/' &&
           class.at[length] != ':';
}

struct dj_str dj_gfxinfo_surface_find_list_name(struct dj_str line)
{
    struct dj_str name = line;
    bool wrapped = dj_scan_word(&name, "RequestedLayerState{");
    const char *number = name.length > 0 ? memrchr(name.at, '#', name.length) : NULL;
    const char *end = name.at + name.length;
    if (number == NULL) {
        return (struct dj_str){line.at, 0};
    }
    const char *after = number + 1;
    while (after < end && dj_gfxinfo_is_digit(*after)) {
        after++;
    }
    bool ends = after == end || (wrapped && (*after == ' ' || *after == '}'));
    return after > number + 1 && ends ? dj_str_between(name.at, after)
                                      : (struct dj_str){line.at, 0};
}
