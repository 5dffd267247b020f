/* A program that is not linked to libdejank: `plugin_host FILE` loads the library FILE
 * and calls its function "used". */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    void (*used)(void) = library != NULL ? (void (*)(void))dlsym(library, "used") : NULL;
    if (used == NULL) {
        puts(dlerror());
        return 1;
    }
    used();
    return dlclose(library);
}
