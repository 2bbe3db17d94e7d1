// What C#'s own compiler says about a folder of sources: references, hierarchy and places, in the form that
// `bench/truth.mjs` reads. See README.md beside this file for how it is built and run.
//
//     dotnet Roslyn.dll OUT CORPUS SAMPLE ROOT [-r ASSEMBLY]… [-d SYMBOL]… [-x PART-OF-PATH]…
//
// Lines and characters count from 0, characters in UTF-16 units.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Encodings.Web;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

/// A name's place. Two are equal where they are the same place, in a comment or not.
sealed class Place
{
    public string file;
    public int line, character;
    public bool isInComment;

    public override bool Equals(object other) =>
        other is Place place && (place.file, place.line, place.character) == (file, line, character);
    public override int GetHashCode() => (file, line, character).GetHashCode();
    public object Json() => isInComment ? (object)new { file, line, character, @in = "comment" } : new { file, line, character };
    public object Triple() => new object[] { file, line, character };
}

/// A symbol of the sources with everything that declares and uses it.
sealed class Entry
{
    public ISymbol symbol;
    /// Names of its declarations; constructors and destructors of a type come last.
    public readonly List<(SyntaxToken name, SyntaxNode node)> sites = new List<(SyntaxToken, SyntaxNode)>();
    public readonly HashSet<Place> references = new HashSet<Place>();
    /// Names that count neither way: other names of it.
    public readonly HashSet<Place> related = new HashSet<Place>();
}

sealed class Oracle
{
    readonly string root;
    readonly CSharpCompilation compilation;
    readonly Dictionary<ISymbol, Entry> entries = new Dictionary<ISymbol, Entry>(SymbolEqualityComparer.Default);
    readonly Dictionary<string, int> counts = new Dictionary<string, int>();
    /// Names that the compiler does not see or cannot resolve.
    readonly Dictionary<string, List<Place>> unknown = new Dictionary<string, List<Place>>();
    readonly List<(Place place, string name, SyntaxNode node)> uses = new List<(Place, string, SyntaxNode)>();
    /// Members that override or implement each other, both ways.
    readonly Dictionary<ISymbol, HashSet<ISymbol>> counterparts = new Dictionary<ISymbol, HashSet<ISymbol>>(SymbolEqualityComparer.Default);
    readonly Random random = new Random(1);

    Oracle(string root, CSharpCompilation compilation)
    {
        this.root = root;
        this.compilation = compilation;
    }

    static int Main(string[] args)
    {
        var (output, corpus, sample, root) = (args[0], args[1], int.Parse(args[2]), Path.GetFullPath(args[3]));
        IEnumerable<string> Given(string flag) => args.Skip(4).Where((_, i) => i % 2 == 1 && args[i + 3] == flag);
        var options = new CSharpParseOptions(LanguageVersion.Preview, DocumentationMode.Diagnose, preprocessorSymbols: Given("-d"));
        var left = Given("-x").ToList();
        var files = Directory.GetFiles(root, "*.cs", SearchOption.AllDirectories)
            .Where(file => !left.Any(part => file.Contains(part))).OrderBy(file => file, StringComparer.Ordinal);
        var trees = files.Select(file => CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(file)), options, file)).ToList();
        var compilation = CSharpCompilation.Create(corpus, trees,
            Given("-r").Select(path => MetadataReference.CreateFromFile(path)),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true));
        var errors = compilation.GetDiagnostics().Where(found => found.Severity == DiagnosticSeverity.Error).ToList();
        Console.Error.WriteLine($"{trees.Count} files, {errors.Count} errors");
        foreach (var group in errors.GroupBy(error => error.Id).OrderByDescending(group => group.Count()).Take(5))
            Console.Error.WriteLine($"  {group.Count()} of {group.First()}");
        var oracle = new Oracle(root, compilation);
        foreach (var tree in trees) oracle.Read(tree);
        oracle.Relate();
        oracle.WriteReferences($"{output}/csharp-{corpus}.jsonl", corpus, sample);
        oracle.WriteHierarchy($"{output}/csharp-{corpus}.hierarchy.jsonl", corpus);
        oracle.WritePlaces($"{output}/csharp-{corpus}.enclosing.jsonl", corpus);
        return 0;
    }

    Place At(SyntaxTree tree, TextSpan span, bool isInComment = false)
    {
        var start = tree.GetLineSpan(span).StartLinePosition;
        var file = Path.GetRelativePath(root, tree.FilePath).Replace('\\', '/');
        return new Place { file = file, line = start.Line, character = start.Character, isInComment = isInComment };
    }

    Place At(SyntaxToken token) => At(token.SyntaxTree, token.Span);

    Entry Of(ISymbol symbol)
    {
        if (!entries.TryGetValue(symbol, out var entry)) entries[symbol] = entry = new Entry { symbol = symbol };
        return entry;
    }

    void AddUnknown(string name, Place place)
    {
        if (!unknown.TryGetValue(name, out var places)) unknown[name] = places = new List<Place>();
        places.Add(place);
    }

    /// The one symbol that stands for all forms of it: constructed, reduced, accessor, half of a partial method.
    static ISymbol Original(ISymbol symbol)
    {
        switch (symbol)
        {
            case IMethodSymbol method:
                method = (method.ReducedFrom ?? method).OriginalDefinition;
                return method.AssociatedSymbol is ISymbol owner ? Original(owner) : method.PartialDefinitionPart ?? method;
            case IParameterSymbol parameter:
                parameter = (IParameterSymbol)parameter.OriginalDefinition;
                if (!(parameter.ContainingSymbol is IMethodSymbol of)) return parameter;
                if (of.PartialDefinitionPart is IMethodSymbol part) return part.Parameters[parameter.Ordinal];
                var indexer = of.AssociatedSymbol as IPropertySymbol;
                return indexer?.Parameters.FirstOrDefault(other => other.Name == parameter.Name)?.OriginalDefinition ?? parameter;
            default:
                return symbol.OriginalDefinition;
        }
    }

    static bool MakesOrEnds(ISymbol symbol) => symbol is IMethodSymbol method
        && (method.MethodKind == MethodKind.Constructor || method.MethodKind == MethodKind.StaticConstructor || method.MethodKind == MethodKind.Destructor);

    static bool IsNoSubject(ISymbol symbol) => symbol is INamespaceSymbol || symbol is ITypeParameterSymbol
        || symbol is IDiscardSymbol || symbol is ILabelSymbol || symbol is IDynamicTypeSymbol;

    static (string kind, string raw, string scope)? KindOf(ISymbol symbol)
    {
        switch (symbol)
        {
            case IMethodSymbol method when method.MethodKind == MethodKind.LocalFunction:
                return ("function", "local_function", "local");
            case IMethodSymbol method when method.MethodKind == MethodKind.Ordinary || method.MethodKind == MethodKind.ExplicitInterfaceImplementation:
                return ("method", method.IsExtensionMethod ? "extension_method" : "method", "global");
            case INamedTypeSymbol type: return ("class", type.TypeKind.ToString().ToLowerInvariant(), "global");
            case IPropertySymbol property when !property.IsIndexer: return ("field", "property", "global");
            case IEventSymbol _: return ("field", "event", "global");
            case IFieldSymbol _: return ("field", "field", "global");
            case IParameterSymbol _: return ("variable", "parameter", "local");
            case ILocalSymbol _: return ("variable", "local", "local");
            case IRangeVariableSymbol _: return ("variable", "range_variable", "local");
            case IAliasSymbol _: return ("import_alias", "using_alias", "file");
            default: return null;
        }
    }

    /// Every name of a file: what it declares, what it uses, or that the compiler does not know.
    void Read(SyntaxTree tree)
    {
        var model = compilation.GetSemanticModel(tree);
        foreach (var token in tree.GetRoot().DescendantTokens(descendIntoTrivia: true))
        {
            foreach (var trivia in token.LeadingTrivia.Where(trivia => trivia.IsKind(SyntaxKind.DisabledTextTrivia)))
                foreach (var dead in SyntaxFactory.ParseTokens(trivia.ToFullString()).Where(dead => dead.IsKind(SyntaxKind.IdentifierToken)))
                    AddUnknown(dead.ValueText, At(tree, new TextSpan(trivia.FullSpan.Start + dead.SpanStart, dead.Span.Length)));
            if (!token.IsKind(SyntaxKind.IdentifierToken) || token.Span.Length == 0) continue;
            counts[token.ValueText] = counts.TryGetValue(token.ValueText, out var count) ? count + 1 : 1;
            var around = token.Parent.AncestorsAndSelf(ascendOutOfTrivia: false).ToList();
            if (around.Any(node => node is DirectiveTriviaSyntax)) continue;
            if (!ReadDeclaration(model, token)) ReadUse(model, token, around.Any(node => node is DocumentationCommentTriviaSyntax));
        }
    }

    /// Whether a name is that of a declaration; of a tuple's or anonymous type's element nothing is kept.
    bool ReadDeclaration(SemanticModel model, SyntaxToken name)
    {
        var node = name.Parent;
        switch (node)
        {
            case NameEqualsSyntax _:
            case LabeledStatementSyntax _:
            case TupleElementSyntax _:
                return true;
            case IdentifierNameSyntax _ when node.Parent is NameEqualsSyntax equals && equals.Name == node:
                if (equals.Parent is AnonymousObjectMemberDeclaratorSyntax) return true;
                if (!(equals.Parent is UsingDirectiveSyntax)) return false;
                node = equals.Parent;
                break;
            case IdentifierNameSyntax _ when node.Parent is NameColonSyntax colon && colon.Parent.Parent is TupleExpressionSyntax:
            case IdentifierNameSyntax _ when node.Parent is NamespaceDeclarationSyntax:
                return true;
            case SimpleNameSyntax _:
                return false;
        }
        var declared = model.GetDeclaredSymbol(node);
        if (declared == null) return false;
        var isLast = MakesOrEnds(declared);
        var sites = Of(Original(isLast ? declared.ContainingType : declared)).sites;
        var before = isLast ? sites.Count : sites.TakeWhile(site => !(site.node is ConstructorDeclarationSyntax || site.node is DestructorDeclarationSyntax)).Count();
        sites.Insert(before, (name, node));
        return true;
    }

    void ReadUse(SemanticModel model, SyntaxToken name, bool isInComment)
    {
        var place = At(name.SyntaxTree, name.Span, isInComment);
        if (!(name.Parent is SimpleNameSyntax node))
        {
            if (!(name.Parent is XmlNameSyntax || name.Parent is AttributeTargetSpecifierSyntax)) AddUnknown(name.ValueText, place);
            return;
        }
        if (node is IdentifierNameSyntax plain)
        {
            if (plain.IsVar) return;
            if (model.GetAliasInfo(plain) is IAliasSymbol alias && alias.Name == name.ValueText)
            {
                Of(alias).references.Add(place);
                Of(Original(alias.Target)).related.Add(place);
                return;
            }
        }
        var info = model.GetSymbolInfo(node);
        var isGroup = info.CandidateReason == CandidateReason.MemberGroup || (isInComment && info.CandidateReason == CandidateReason.Ambiguous);
        var found = info.Symbol != null ? new List<ISymbol> { info.Symbol } : isGroup ? info.CandidateSymbols.ToList() : new List<ISymbol>();
        // `nameof` and the like leave a group of methods.
        if (found.Count == 0 && info.CandidateSymbols.IsEmpty) found.AddRange(model.GetMemberGroup(node));
        if (found.Count == 0 || found.Any(symbol => symbol.Kind == SymbolKind.ErrorType)) AddUnknown(name.ValueText, place);
        foreach (var symbol in found.Where(symbol => !IsNoSubject(symbol) && symbol.Kind != SymbolKind.ErrorType))
        {
            var original = Original(MakesOrEnds(symbol) ? symbol.ContainingType : symbol);
            Of(original).references.Add(place);
            if (found.Count == 1 && !isInComment && original.Locations.Any(location => location.IsInSource)) uses.Add((place, name.Text, node));
        }
    }

    /// Which members override or implement which.
    void Relate()
    {
        void Link(ISymbol a, ISymbol b)
        {
            foreach (var (from, to) in new[] { (a, b), (b, a) })
            {
                if (!counterparts.TryGetValue(from, out var others)) counterparts[from] = others = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
                others.Add(to);
            }
        }
        foreach (var symbol in entries.Keys.ToList())
        {
            var bases = symbol switch
            {
                IMethodSymbol method => method.ExplicitInterfaceImplementations.Append(method.OverriddenMethod),
                IPropertySymbol property => property.ExplicitInterfaceImplementations.Append<ISymbol>(property.OverriddenProperty),
                IEventSymbol happening => happening.ExplicitInterfaceImplementations.Append<ISymbol>(happening.OverriddenEvent),
                _ => Enumerable.Empty<ISymbol>(),
            };
            foreach (var other in bases.Where(other => other != null)) Link(symbol, Original(other));
            if (symbol is INamedTypeSymbol type && (type.TypeKind == TypeKind.Class || type.TypeKind == TypeKind.Struct))
                foreach (var member in type.AllInterfaces.SelectMany(of => of.GetMembers()))
                    if (type.FindImplementationForInterfaceMember(member) is ISymbol implementation)
                        Link(Original(implementation), Original(member));
        }
    }

    IEnumerable<Place> RelatedPlaces(ISymbol symbol)
    {
        var family = new HashSet<ISymbol>(SymbolEqualityComparer.Default) { symbol };
        var open = new Stack<ISymbol>(family);
        while (open.Count > 0)
            if (counterparts.TryGetValue(open.Pop(), out var others))
                foreach (var other in others.Where(family.Add)) open.Push(other);
        foreach (var other in family.Where(other => !SymbolEqualityComparer.Default.Equals(other, symbol)))
            if (entries.TryGetValue(other, out var entry))
                foreach (var place in entry.references.Concat(entry.sites.Select(site => At(site.name)))) yield return place;
    }

    /// By kind and how often the name is written, the same number of each.
    List<(Entry entry, string kind, string raw, string scope, string popularity)> Sample(int sample)
    {
        string Popularity(int count) => count <= 5 ? "rare" : count <= 40 ? "mid" : "common";
        var shares = new Dictionary<string, double> { ["method"] = .33, ["class"] = .22, ["field"] = .25, ["variable"] = .15, ["function"] = .03, ["import_alias"] = .02 };
        var all = entries.Values.Where(entry => entry.sites.Count > 0 && KindOf(entry.symbol) != null).Select(entry =>
        {
            var (kind, raw, scope) = KindOf(entry.symbol).Value;
            return (entry, kind, raw, scope, popularity: Popularity(counts[entry.sites[0].name.ValueText]));
        });
        return all.GroupBy(one => (one.kind, one.popularity)).OrderBy(group => group.Key)
            .SelectMany(group => group.OrderBy(_ => random.Next()).Take((int)Math.Ceiling(sample * shares[group.Key.kind] / 3))).ToList();
    }

    void WriteReferences(string path, string corpus, int sample)
    {
        var chosen = Sample(sample);
        var homonyms = entries.Values.Where(entry => entry.sites.Count > 0 && KindOf(entry.symbol) is var kind && kind != null && kind.Value.scope != "local")
            .GroupBy(entry => entry.symbol.Name).ToDictionary(group => group.Key, group => group.Count());
        WriteLines(path, chosen.Select(one =>
        {
            var (entry, site) = (one.entry, one.entry.sites[0]);
            var name = site.name.ValueText;
            var related = new HashSet<Place>(entry.related.Concat(RelatedPlaces(entry.symbol)));
            related.ExceptWith(entry.references);
            // An attribute's ending may be left out.
            var names = new[] { name, name.EndsWith("Attribute") ? name.Substring(0, name.Length - 9) : name }.Distinct();
            var lost = names.SelectMany(of => unknown.TryGetValue(of, out var places) ? places : new List<Place>());
            var others = entry.sites.Skip(1).Select(other => other.name);
            if (entry.symbol is IAliasSymbol alias && entries.TryGetValue(Original(alias.Target), out var target)) others = others.Concat(target.sites.Select(other => other.name));
            return new Dictionary<string, object>
            {
                ["lang"] = "csharp", ["corpus"] = corpus, ["kind"] = one.kind, ["kind_raw"] = one.raw, ["scope"] = one.scope, ["name"] = name,
                ["popularity"] = one.popularity, ["name_tokens"] = counts[name], ["same_name_defs"] = homonyms.TryGetValue(entry.symbol.Name, out var count) ? count : 0,
                ["definition"] = At(site.name).Json(), ["range"] = Range(site.node), ["alt_definitions"] = others.Select(other => At(other).Json()).ToArray(),
                ["references"] = entry.references.OrderBy(place => place.file, StringComparer.Ordinal).ThenBy(place => place.line).ThenBy(place => place.character).Select(place => place.Json()).ToArray(),
                ["ignore"] = new { related = related.Select(place => place.Triple()).ToArray(), unknown = lost.Select(place => place.Triple()).ToArray() },
            };
        }));
        Console.Error.WriteLine($"{chosen.Count} symbols");
    }

    /// Direct bases and derived types inside of the sources; a partial type is at its largest part.
    void WriteHierarchy(string path, string corpus)
    {
        var types = entries.Values.Where(entry => entry.symbol is INamedTypeSymbol && entry.sites.Count > 0).ToDictionary(entry => entry.symbol, SymbolEqualityComparer.Default);
        IEnumerable<ISymbol> Bases(ISymbol symbol) => symbol is INamedTypeSymbol type
            ? type.Interfaces.Prepend(type.BaseType).Where(of => of != null).Select(of => (ISymbol)of.OriginalDefinition).Where(types.ContainsKey) : new ISymbol[0];
        var derived = types.Keys.SelectMany(type => Bases(type).Select(of => (of, type))).ToLookup(pair => pair.of, pair => pair.type, SymbolEqualityComparer.Default);
        object Shown(ISymbol type)
        {
            int Lines(SyntaxNode node) { var span = node.SyntaxTree.GetLineSpan(node.Span); return span.EndLinePosition.Line - span.StartLinePosition.Line; }
            var site = types[type].sites.Where(one => !(one.node is BaseMethodDeclarationSyntax)).OrderByDescending(one => Lines(one.node)).First();
            return At(site.name).Json();
        }
        WriteLines(path, types.Keys.OrderBy(_ => random.Next()).Take(300).Select(type => new Dictionary<string, object>
        {
            ["lang"] = "csharp", ["corpus"] = corpus, ["name"] = type.Name, ["definition"] = At(types[type].sites[0].name).Json(),
            ["supertypes"] = Bases(type).Select(Shown).ToArray(), ["subtypes"] = derived[type].Select(Shown).ToArray(),
        }));
    }

    /// The innermost member or type around random uses.
    void WritePlaces(string path, string corpus) => WriteLines(path, uses.OrderBy(_ => random.Next()).Take(300).Select(use =>
    {
        var around = use.node.Ancestors().Select(node => (node, name: NameOf(node))).FirstOrDefault(one => one.name != default);
        object symbol = null;
        if (around.node != null)
        {
            var place = At(around.name);
            symbol = new { name = around.name.ValueText, kind = around.node is MemberDeclarationSyntax && !(around.node is BaseTypeDeclarationSyntax) ? "method" : "class", place.line, place.character, range = Range(around.node) };
        }
        return new Dictionary<string, object>
        {
            ["lang"] = "csharp", ["corpus"] = corpus, ["query"] = new { use.place.file, use.place.line, use.place.character, token = use.name }, ["symbol"] = symbol,
        };
    }));

    static SyntaxToken NameOf(SyntaxNode node) => node switch
    {
        BaseTypeDeclarationSyntax type => type.Identifier,
        DelegateDeclarationSyntax type => type.Identifier,
        MethodDeclarationSyntax method => method.Identifier,
        ConstructorDeclarationSyntax method => method.Identifier,
        DestructorDeclarationSyntax method => method.Identifier,
        OperatorDeclarationSyntax method => method.OperatorToken,
        ConversionOperatorDeclarationSyntax method => method.Type.GetFirstToken(),
        PropertyDeclarationSyntax property => property.Identifier,
        IndexerDeclarationSyntax indexer => indexer.ThisKeyword,
        EventDeclarationSyntax happening => happening.Identifier,
        LocalFunctionStatementSyntax function => function.Identifier,
        // A field's value is inside of the field.
        VariableDeclaratorSyntax variable when variable.Parent.Parent is BaseFieldDeclarationSyntax => variable.Identifier,
        _ => default,
    };

    static int[] Range(SyntaxNode node)
    {
        var span = node.SyntaxTree.GetLineSpan(node.Span);
        return new[] { span.StartLinePosition.Line, span.StartLinePosition.Character, span.EndLinePosition.Line, span.EndLinePosition.Character };
    }

    static void WriteLines(string path, IEnumerable<Dictionary<string, object>> lines)
    {
        var options = new JsonSerializerOptions { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };
        File.WriteAllLines(path, lines.Select(line => JsonSerializer.Serialize(line, options)));
    }
}
