/*
 * Examples of layer names:
 *
 *   SurfaceView[com.example/com.example.Main](BLAST)#123
 *   SurfaceView - com.example/com.example.Main#0
 *   com.example/com.example.Main#120
 */
#include <stdio.h>
#include <string.h>

#include "measure/run/run.h"

/* Returns true if the layer belongs to the package. In a layer's name, the name of the
 * package ends with a slash. Otherwise a longer name of another package would match too.
 */
static bool is_of_package(const char *line, size_t length, const char *package)
{
    size_t package_length = strlen(package);
    const char *at = line;
    while ((at = memmem(at, (size_t)(line + length - at), package, package_length)) !=
           NULL) {
        bool begins = at == line || strchr("[ /(", at[-1]) != NULL;
        if (begins && at + package_length < line + length && at[package_length] == '/') {
            return true;
        }
        at++;
    }
    return false;
}

bool dj_layers_find(const char *list, const char *package, char *layer, size_t size)
{
    for (const char *line = list; *line != '\0';) {
        size_t length = strcspn(line, "\r\n");
        bool view = memmem(line, length, "SurfaceView", 11) != NULL;
        bool background = memmem(line, length, "Background for", 14) != NULL;
        if (view && !background && is_of_package(line, length, package)) {
            snprintf(layer, size, "%.*s", (int)length, line);
            return true;
        }
        line += length + strspn(line + length, "\r\n");
    }
    layer[0] = '\0';
    return false;
}
