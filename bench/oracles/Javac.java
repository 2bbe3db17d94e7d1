// What Java's own compiler says about a folder of sources: references of a draw of its names, and which types derive from
// which, in the form that bench/truth.mjs reads. See README.md beside this file for how it is run.
//
//     java --add-exports jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED Javac.java OUT CORPUS SAMPLE ROOT [CLASSPATH]
//
// Lines and characters count from 0, characters in UTF-16 units. Names that the compiler cannot resolve, and words in
// comments, count neither way.

import com.sun.source.tree.*;
import com.sun.source.util.*;
import com.sun.tools.javac.tree.JCTree;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.regex.Pattern;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

final class Javac {
  /** A name's place. */
  record Place(String file, int line, int character) implements Comparable<Place> {
    String json() {
      return "{\"file\":%s,\"line\":%d,\"character\":%d}".formatted(quoted(file), line, character);
    }

    String triple() {
      return "[%s,%d,%d]".formatted(quoted(file), line, character);
    }

    @Override
    public int compareTo(Place other) {
      return Comparator.comparing(Place::file).thenComparing(Place::line).thenComparing(Place::character).compare(this, other);
    }
  }

  /** A symbol of the sources with everything that declares and uses it. */
  static final class Entry {
    Element element;
    final List<Place> sites = new ArrayList<>();
    final Set<Place> makers = new TreeSet<>();
    final Set<Place> references = new TreeSet<>();
  }

  static final Map<String, Double> SHARES = Map.of("method", .35, "class", .2, "field", .25, "variable", .2);
  static final Pattern WORD = Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*");
  /** Comments, what looks like them, and names. */
  static final Pattern TOKEN = Pattern.compile(
      "\"\"\"[\\s\\S]*?\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|//[^\\n]*|/\\*[\\s\\S]*?\\*/|" + WORD.pattern());

  final Path root;
  final Map<Element, Entry> entries = new LinkedHashMap<>();
  /** All types of the sources, those without names among them. */
  final Set<TypeElement> own = new LinkedHashSet<>();
  final Map<Element, Set<Element>> counterparts = new HashMap<>();
  final Map<String, Integer> counts = new HashMap<>();
  final Map<String, List<Place>> unknown = new HashMap<>();
  Trees trees;
  Elements elements;
  Types types;

  Javac(Path root) {
    this.root = root;
  }

  public static void main(String[] arguments) throws IOException {
    var root = Path.of(arguments[3]).toAbsolutePath().normalize();
    var oracle = new Javac(root);
    oracle.read(arguments.length > 4 ? arguments[4] : "");
    oracle.relate();
    oracle.writeReferences(Path.of(arguments[0], "java-" + arguments[1] + ".jsonl"), arguments[1], Integer.parseInt(arguments[2]));
    oracle.writeHierarchy(Path.of(arguments[0], "java-" + arguments[1] + ".hierarchy.jsonl"), arguments[1]);
  }

  void read(String classPath) throws IOException {
    List<Path> files;
    try (var all = Files.walk(root)) {
      files = all.filter(file -> file.toString().endsWith(".java") && !file.endsWith("module-info.java")).sorted().toList();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    var problems = new DiagnosticCollector<JavaFileObject>();
    var manager = compiler.getStandardFileManager(problems, null, null);
    var options = List.of("-proc:none", "-Xmaxerrs", "100000", "-XDshould-stop.ifError=FLOW", "-classpath", classPath, "-encoding", "UTF-8");
    var task = (JavacTask) compiler.getTask(null, manager, problems, options, null, manager.getJavaFileObjectsFromPaths(files));
    trees = Trees.instance(task);
    elements = task.getElements();
    types = task.getTypes();
    var units = new ArrayList<CompilationUnitTree>();
    task.parse().forEach(units::add);
    task.analyze();
    for (var unit : units) new Reader(unit).readAll();
    var errors = problems.getDiagnostics().stream().filter(found -> found.getKind() == Diagnostic.Kind.ERROR).toList();
    System.err.printf("%d files, %d errors%n", files.size(), errors.size());
    errors.stream().limit(5).forEach(error -> System.err.println("  " + error.getMessage(null).lines().findFirst().orElse("")));
  }

  /** The one element that stands for all forms of it: a record's component is its field, accessor and parameter. */
  Element original(Element element) {
    if (element.getKind() == ElementKind.CONSTRUCTOR) return element.getEnclosingElement();
    var owner = element.getEnclosingElement();
    if (element.getKind() == ElementKind.PARAMETER && owner instanceof ExecutableElement made && elements.getOrigin(made) == Elements.Origin.EXPLICIT) {
      boolean isCompact = trees.getTree(made) instanceof JCTree.JCMethodDecl tree && (tree.mods.flags & COMPACT) != 0;
      if (!isCompact) return element;
      owner = made.getEnclosingElement();
    }
    if (owner == null || owner.getKind() != ElementKind.RECORD) return element;
    boolean isPart = element.getKind() == ElementKind.RECORD_COMPONENT || element.getKind() == ElementKind.PARAMETER
        || element instanceof ExecutableElement method && method.getParameters().isEmpty();
    if (!isPart) return element;
    return owner.getEnclosedElements().stream().<Element>map(other -> other).filter(other -> other.getKind() == ElementKind.FIELD && !other.getModifiers().contains(Modifier.STATIC))
        .filter(other -> other.getSimpleName().equals(element.getSimpleName())).findFirst().orElse(element);
  }

  /** The compiler's own flag of a constructor that is written without parameters. */
  static final long COMPACT = 1L << 51;

  Entry of(Element element) {
    var original = original(element);
    var entry = entries.computeIfAbsent(original, key -> new Entry());
    entry.element = original;
    return entry;
  }

  static boolean isSubject(Element element) {
    return switch (element.getKind()) {
      case PACKAGE, MODULE, TYPE_PARAMETER, OTHER, STATIC_INIT, INSTANCE_INIT -> false;
      default -> true;
    };
  }

  static boolean isLost(Element element) {
    return element == null || element.asType() != null && element.asType().getKind() == TypeKind.ERROR;
  }

  /** Every name of a file: what it declares, what it uses, or that the compiler does not know. */
  final class Reader extends TreePathScanner<Void, Void> {
    final CompilationUnitTree unit;
    final String text;
    final String file;
    final SourcePositions positions = trees.getSourcePositions();
    /** Places where something is known to be. */
    final Set<Integer> seen = new HashSet<>();

    Reader(CompilationUnitTree unit) throws IOException {
      this.unit = unit;
      text = unit.getSourceFile().getCharContent(true).toString();
      file = root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    void readAll() {
      scan(unit, null);
      var tokens = TOKEN.matcher(text);
      while (tokens.find()) {
        var token = tokens.group();
        if (token.startsWith("/")) {
          WORD.matcher(token).results().forEach(word -> lose(word.group(), tokens.start() + word.start()));
        } else if (WORD.matcher(token).matches()) {
          counts.merge(token, 1, Integer::sum);
          // A place that no tree of a declaration or use is at: the tree has an error in it.
          if (!seen.contains(tokens.start())) lose(token, tokens.start());
        }
      }
    }

    Place at(int offset) {
      var map = unit.getLineMap();
      int line = (int) map.getLineNumber(offset);
      return new Place(file, line - 1, offset - (int) map.getStartPosition(line));
    }

    void lose(String name, int offset) {
      unknown.computeIfAbsent(name, key -> new ArrayList<>()).add(at(offset));
    }

    void declare(Tree tree, CharSequence name, int from) {
      int offset = from;
      while (offset >= 0 && !isWord(name, offset)) offset = text.indexOf(name.toString(), offset + 1);
      var element = trees.getElement(getCurrentPath());
      if (offset < 0 || isLost(element) && !(tree instanceof VariableTree)) return;
      // A parameter with a type that is not known is itself known.
      if (element == null || !seen.add(offset)) return;
      (element.getKind() == ElementKind.CONSTRUCTOR ? of(element).makers : of(element).sites).add(at(offset));
    }

    boolean isWord(CharSequence name, int offset) {
      int end = offset + name.length();
      return text.startsWith(name.toString(), offset) && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)))
          && (offset == 0 || !Character.isJavaIdentifierPart(text.charAt(offset - 1)));
    }

    void use(Name name, int offset, Element element) {
      if (offset < 0 || !isWord(name, offset) || name.contentEquals("this") || name.contentEquals("super") || !seen.add(offset)) return;
      if (isLost(element)) lose(name.toString(), offset);
      else if (isSubject(element)) of(element).references.add(at(offset));
    }

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      if (trees.getElement(getCurrentPath()) instanceof TypeElement type) own.add(type);
      if (!tree.getSimpleName().isEmpty()) declare(tree, tree.getSimpleName(), ((JCTree) tree).pos);
      return super.visitClass(tree, nothing);
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      boolean isMaker = tree.getName().contentEquals("<init>");
      var element = trees.getElement(getCurrentPath());
      // a class that the compiler gave up on has no elements
      if (isMaker && element == null) return super.visitMethod(tree, nothing);
      var name = isMaker ? original(element).getSimpleName() : tree.getName();
      int offset = ((JCTree) tree).pos;
      if (offset >= 0 && isWord(name, offset)) declare(tree, name, offset);
      return super.visitMethod(tree, nothing);
    }

    @Override
    public Void visitVariable(VariableTree tree, Void nothing) {
      int offset = ((JCTree) tree).pos;
      if (offset >= 0 && isWord(tree.getName(), offset)) declare(tree, tree.getName(), offset);
      return super.visitVariable(tree, nothing);
    }

    @Override
    public Void visitIdentifier(IdentifierTree tree, Void nothing) {
      use(tree.getName(), (int) positions.getStartPosition(unit, tree), trees.getElement(getCurrentPath()));
      return super.visitIdentifier(tree, nothing);
    }

    @Override
    public Void visitMemberSelect(MemberSelectTree tree, Void nothing) {
      int offset = (int) positions.getEndPosition(unit, tree) - tree.getIdentifier().length();
      if (getCurrentPath().getParentPath().getLeaf() instanceof ImportTree from && from.isStatic()) {
        useStatic(tree, offset);
      } else {
        use(tree.getIdentifier(), offset, trees.getElement(getCurrentPath()));
      }
      return super.visitMemberSelect(tree, nothing);
    }

    /** A static import is of all members of the name. */
    void useStatic(MemberSelectTree tree, int offset) {
      if (!isWord(tree.getIdentifier(), offset) || !seen.add(offset)) return;
      var owner = trees.getElement(new TreePath(getCurrentPath(), tree.getExpression()));
      if (!(owner instanceof TypeElement type)) {
        lose(tree.getIdentifier().toString(), offset);
        return;
      }
      elements.getAllMembers(type).stream().filter(member -> member.getSimpleName().equals(tree.getIdentifier()))
          .forEach(member -> of(member).references.add(at(offset)));
    }

    @Override
    public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
      int offset = (int) positions.getEndPosition(unit, tree) - tree.getName().length();
      if (tree.getMode() == MemberReferenceTree.ReferenceMode.INVOKE) use(tree.getName(), offset, trees.getElement(getCurrentPath()));
      return super.visitMemberReference(tree, nothing);
    }
  }


  Stream<TypeElement> supersOf(TypeElement type) {
    return types.directSupertypes(type.asType()).stream().map(types::asElement).filter(TypeElement.class::isInstance).map(TypeElement.class::cast);
  }

  /** Methods that override, implement or hide each other, both ways, those of libraries among them. */
  void relate() {
    for (var type : own) {
      var supers = new LinkedHashSet<TypeElement>();
      var open = new ArrayDeque<>(List.of(type));
      while (!open.isEmpty()) supersOf(open.pop()).filter(supers::add).forEach(open::push);
      var methods = ElementFilter.methodsIn(elements.getAllMembers(type));
      for (var other : supers) {
        for (var below : ElementFilter.methodsIn(other.getEnclosedElements())) {
          for (var method : methods) {
            if (method != below && method.getSimpleName().equals(below.getSimpleName()) && (elements.overrides(method, below, type) || elements.hides(method, below))) {
              counterparts.computeIfAbsent(original(method), key -> new HashSet<>()).add(original(below));
              counterparts.computeIfAbsent(original(below), key -> new HashSet<>()).add(original(method));
            }
          }
        }
      }
    }
  }

  Set<Place> relatedTo(Entry entry) {
    var family = new HashSet<Element>(Set.of(entry.element));
    var open = new ArrayDeque<Element>(family);
    while (!open.isEmpty()) counterparts.getOrDefault(open.pop(), Set.of()).stream().filter(family::add).forEach(open::push);
    var places = new TreeSet<Place>();
    family.stream().map(entries::get).filter(other -> other != null && other != entry).forEach(other -> {
      places.addAll(other.sites);
      places.addAll(other.references);
    });
    places.removeAll(entry.references);
    return places;
  }

  static String kindOf(Element element) {
    return switch (element.getKind()) {
      case METHOD -> "method";
      case CLASS, INTERFACE, ENUM, RECORD, ANNOTATION_TYPE -> "class";
      case FIELD, ENUM_CONSTANT -> "field";
      case PARAMETER, LOCAL_VARIABLE, EXCEPTION_PARAMETER, RESOURCE_VARIABLE, BINDING_VARIABLE -> "variable";
      default -> null;
    };
  }

  String popularity(Entry entry) {
    int count = counts.getOrDefault(entry.element.getSimpleName().toString(), 1);
    return count <= 5 ? "rare" : count <= 40 ? "mid" : "common";
  }

  /** By kind and how often the name is written, the same number of each. */
  List<Entry> draw(int sample) {
    var groups = new TreeMap<String, List<Entry>>();
    for (var entry : entries.values()) {
      if (entry.sites.isEmpty() || kindOf(entry.element) == null || entry.element.getSimpleName().isEmpty()) continue;
      groups.computeIfAbsent(kindOf(entry.element) + " " + popularity(entry), key -> new ArrayList<>()).add(entry);
    }
    var random = new Random(1);
    var drawn = new ArrayList<Entry>();
    groups.forEach((group, of) -> {
      of.sort(Comparator.comparing(entry -> entry.sites.get(0)));
      Collections.shuffle(of, random);
      of.stream().limit((long) Math.ceil(sample * SHARES.get(group.split(" ")[0]) / 3)).forEach(drawn::add);
    });
    return drawn;
  }

  void writeReferences(Path path, String corpus, int sample) throws IOException {
    var homonyms = entries.values().stream().filter(entry -> !entry.sites.isEmpty() && !"variable".equals(kindOf(entry.element)))
        .collect(Collectors.groupingBy(entry -> entry.element.getSimpleName().toString(), Collectors.counting()));
    var lines = new ArrayList<String>();
    for (var entry : draw(sample)) {
      var name = entry.element.getSimpleName().toString();
      var kind = kindOf(entry.element);
      var site = entry.sites.get(0);
      var others = Stream.concat(entry.sites.stream().skip(1), entry.makers.stream());
      lines.add("{\"lang\":\"java\",\"corpus\":%s,\"kind\":\"%s\",\"kind_raw\":\"%s\",\"scope\":\"%s\",\"name\":%s,".formatted(quoted(corpus), kind,
              entry.element.getKind().name().toLowerCase(Locale.ROOT), kind.equals("variable") ? "local" : "global", quoted(name))
          + "\"popularity\":\"%s\",\"name_tokens\":%d,\"same_name_defs\":%d,".formatted(popularity(entry), counts.getOrDefault(name, 1), homonyms.getOrDefault(name, 0L))
          + "\"definition\":%s,\"range\":[%d,%d,%d,%d],".formatted(site.json(), site.line, site.character, site.line, site.character + name.length())
          + "\"alt_definitions\":[%s],\"references\":[%s],".formatted(joined(others.map(Place::json)), joined(entry.references.stream().map(Place::json)))
          + "\"ignore\":{\"related\":[%s],\"unknown\":[%s]}}".formatted(joined(relatedTo(entry).stream().map(Place::triple)),
              joined(unknown.getOrDefault(name, List.of()).stream().map(Place::triple))));
    }
    Files.write(path, lines);
    System.err.println(lines.size() + " symbols");
  }

  /** Direct bases and derived types inside of the sources. */
  void writeHierarchy(Path path, String corpus) throws IOException {
    var derived = new HashMap<Element, List<TypeElement>>();
    var named = own.stream().filter(type -> entries.containsKey(type) && !entries.get(type).sites.isEmpty()).toList();
    for (var type : named) supersOf(type).forEach(base -> derived.computeIfAbsent(base, key -> new ArrayList<>()).add(type));
    Files.write(path, named.stream().map(type -> "{\"lang\":\"java\",\"corpus\":%s,\"name\":%s,\"definition\":%s,\"supertypes\":[%s],\"subtypes\":[%s]}".formatted(
        quoted(corpus), quoted(type.getSimpleName().toString()), shown(type).findFirst().orElseThrow(),
        joined(supersOf(type).flatMap(this::shown)), joined(derived.getOrDefault(type, List.of()).stream().flatMap(this::shown)))).toList());
  }

  Stream<String> shown(Element type) {
    var entry = entries.get(type);
    return entry == null ? Stream.empty() : entry.sites.stream().limit(1).map(Place::json);
  }

  static String joined(Stream<String> parts) {
    return parts.collect(Collectors.joining(","));
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
